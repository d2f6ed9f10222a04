from __future__ import annotations

import gzip

import pytest

from selfhint.core.errors import InputError
from support.data_files import lines, values_of, zstd

CONTENT = lines([{"x": f"{i:07} {i * i}"} for i in range(2000)])
PACK = {".gz": gzip.compress, ".zst": zstd}


@pytest.mark.parametrize("ending", PACK)
def test_joined_files(ending, tmp_path):
    path = tmp_path / f"d.jsonl{ending}"
    path.write_bytes(PACK[ending](CONTENT) * 2)
    assert len(values_of(path, "x")) == 4000


@pytest.mark.parametrize("ending", PACK)
@pytest.mark.parametrize("kept", [0.5, 0.999])
def test_a_cut_file(ending, kept, tmp_path):
    path = tmp_path / f"d.jsonl{ending}"
    whole = PACK[ending](CONTENT)
    path.write_bytes(whole[: int(kept * len(whole))])
    with pytest.raises(InputError, match=r"cut or damaged|incomplete JSON") as caught:
        values_of(path, "x")
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("ending", PACK)
def test_a_damaged_file(ending, tmp_path):
    path = tmp_path / f"d.jsonl{ending}"
    whole = bytearray(PACK[ending](CONTENT))
    whole[len(whole) // 2 : len(whole) // 2 + 40] = bytes(40)
    path.write_bytes(whole)
    with pytest.raises(InputError, match="cut or damaged"):
        values_of(path, "x")


def test_a_plain_file_under_a_compressed_name(tmp_path):
    path = tmp_path / "d.jsonl.gz"
    path.write_bytes(CONTENT)
    assert len(values_of(path, "x")) == 2000

"""The installed TRL is checked before a run begins."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch
from trl import GRPOTrainer

from selfhint.core.errors import InputError
from selfhint.engines.trl import compat


def test_the_installed_trl_is_the_one_this_engine_was_written_for():
    compat.check_trl()
    compat.check_trl("1.16.9")


@pytest.mark.parametrize("version", ["1.15.2", "1.17.0", "2.16.0", "1.160.0", "0.29.0.dev0"])
def test_another_minor_version_is_refused_with_the_mend(version):
    with pytest.raises(InputError) as error:
        compat.check_trl(version)
    assert str(error.value) == f"trl {version} is installed, selfhint needs 1.16: pip install 'trl~=1.16.0'"


@pytest.mark.parametrize("name", sorted(compat.EXPECTED_PARAMETERS))
def test_a_changed_or_missing_method_is_refused(monkeypatch, name):
    with monkeypatch.context() as patch:
        patch.setattr(GRPOTrainer, name, lambda self, something_else: None)
        with pytest.raises(InputError, match=rf"GRPOTrainer\.{name} takes \('self', 'something_else'\)") as error:
            compat.check_trl()
        assert "\n" not in str(error.value)
    monkeypatch.setattr(GRPOTrainer, name, None)
    with pytest.raises(InputError, match=rf"GRPOTrainer\.{name} takes \(\)"):
        compat.check_trl()


def test_tensors_of_a_numbered_cpu_are_loaded_to_the_cpu():
    assert compat.load_location(torch.device("cpu:0")) == torch.device("cpu")
    assert compat.load_location(torch.device("cuda:1")) == torch.device("cuda:1")


def test_the_loadable_device_is_put_back_also_after_an_error():
    class Arguments(SimpleNamespace):
        @property
        def device(self):
            return self.__dict__["_setup_devices"]

    args = Arguments(_setup_devices=torch.device("cpu:0"))
    with compat.loadable_device(args):
        assert args.device == torch.device("cpu")
    assert args.device == torch.device("cpu:0")
    with pytest.raises(KeyError), compat.loadable_device(args):
        raise KeyError
    assert args.device == torch.device("cpu:0")

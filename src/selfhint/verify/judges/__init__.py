"""What the worker process knows: a module for each kind, loaded when first asked, and what these share.

No other module imports these. math ← equality ← sets, several ← single ← formulas ← reading, which loads math-verify.
None ever prints a parsed expression: turning one into text can take for ever.
"""

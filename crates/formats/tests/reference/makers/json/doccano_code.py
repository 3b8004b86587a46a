"""doccano's import and export code, without the server and the database around it."""

import importlib.abc
import importlib.machinery
import sys
from types import ModuleType
from unittest.mock import MagicMock


class Models(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands in for what doccano imports beside its code: its database, readers of tables."""

    names = ("examples", "label_types", "labels", "projects", "pyexcel", "chardet")

    def find_spec(self, fullname, path=None, target=None):
        if fullname.split(".")[0] in self.names:
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        return None

    def create_module(self, spec):
        module = MagicMock(name=spec.name)
        module.__path__, module.__spec__ = [], spec
        return module

    def exec_module(self, module):
        pass


def open_wheel(unpacked):
    """Makes what is in an unpacked doccano importable, and what lies beside it."""
    sys.path[:0] = [str(unpacked / "backend"), str(unpacked)]
    sys.meta_path.insert(0, Models())
    models = ModuleType("data_export.models")
    models.DATA = "data"
    sys.modules["data_export.models"] = models

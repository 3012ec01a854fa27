"""Inside the extension: the only code that imports `js` and `pyodide`."""

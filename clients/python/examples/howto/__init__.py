"""The programs of the pages in docs/howto. tests/test_howto.py runs each of them."""

"""The preview and the companion page: a host in the browser, on loopback, that shows tools' views."""

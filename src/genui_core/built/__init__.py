"""Data that is compiled into the package at build time; every module here is written by a program."""

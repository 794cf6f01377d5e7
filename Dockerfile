# The wrapper as an image: docs/how-to/deploy.md shows how to run it.
# A test replays each step of this file without a container engine: tests/system/test_container.py.
ARG PYTHON=3.13

FROM docker.io/library/python:${PYTHON}-slim AS build
WORKDIR /src
COPY requirements-run.lock ./
RUN python -m venv /opt/mcp-gen-ui
RUN /opt/mcp-gen-ui/bin/pip install --no-cache-dir --require-hashes -r requirements-run.lock
COPY pyproject.toml hatch_build.py server.json README.md LICENSE CHANGELOG.md ./
COPY src ./src
COPY examples ./examples
RUN /opt/mcp-gen-ui/bin/pip install --no-cache-dir --no-deps .
RUN /opt/mcp-gen-ui/bin/pip uninstall --yes pip

FROM docker.io/library/python:${PYTHON}-slim
COPY --from=build /opt/mcp-gen-ui /opt/mcp-gen-ui
ENV PATH=/opt/mcp-gen-ui/bin:/usr/local/bin:/usr/bin:/bin \
    HOME=/tmp \
    PYTHONDONTWRITEBYTECODE=1 \
    MCP_GEN_UI_SERVE_TRANSPORT=http \
    MCP_GEN_UI_SERVE_HOST=0.0.0.0 \
    MCP_GEN_UI_SERVE_PORT=8000 \
    MCP_GEN_UI_SERVE_ALLOWED_HOSTS=localhost
WORKDIR /srv/mcp-gen-ui
COPY deploy/healthcheck.py /srv/healthcheck.py
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["python", "/srv/healthcheck.py"]
ENTRYPOINT ["mcp-gen-ui"]
CMD ["--help"]

// The page of the chat: it sends a question, and shows the answer and the views of the tools that were called.

import { show } from "../http-server/view.js";

const log = document.querySelector("main");

/** Send something to the agent's server. */
async function post(path, body) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

document.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { answer, views } = await post("ask", { question: event.target.elements.question.value });
  log.append(Object.assign(document.createElement("p"), { textContent: answer }));
  for (const { tool, resource_uri: uri, tool_input: input, result } of views) {
    const {
      contents: [page],
    } = await (await fetch(`read?uri=${encodeURIComponent(uri)}`)).json();
    await show(log, { html: page.text, tool, input, result }, { call: (params) => post("call", params) });
  }
});

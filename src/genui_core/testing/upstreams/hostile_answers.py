"""Answers that are legal and that software between two others likes to change, as JSON text."""

RESULTS = {
    "unknown fields": '{"content":[{"type":"text","text":"x","vendor":1,"_meta":{"a/b":null}}],"vendor":{"a":[{}]}}',
    "nulls": '{"content":[],"structuredContent":{"a":null,"b":[null,{"c":null}],"z":{}},"isError":null}',
    "a list as structured content": '{"content":[],"structuredContent":[1,2,{"x":null}]}',
    "kinds of numbers": '{"content":[],"structuredContent":{"one":1,"one too":1.0,"e":1e2,"zero":-0.0,"tiny":1e-7}}',
    "long numbers": '{"content":[],"structuredContent":[18446744073709551615,1180591620717411303424,0.1000000000000000055]}',
    "booleans that are no numbers": '{"content":[],"structuredContent":{"yes":true,"one":1,"no":false,"zero":0}}',
    "all the world's letters": '{"content":[{"type":"text","text":"\\u00e9 \\ud83d\\ude00 \\u2028 \\u0000 </script> \\u202e"}]}',
    "odd keys": '{"content":[],"structuredContent":{"":1," ":2,"__proto__":3,"\\n":4,"a.b":5,"1":6}}',
    "another order": '{"isError":false,"structuredContent":{"z":1,"a":2},"_meta":{"k":1},"content":[{"text":"x","type":"text"}]}',
    "no content": '{"structuredContent":{"a":1}}',
    "nothing at all": "{}",
    "an unknown kind of content": '{"content":[{"type":"hologram","data":"q"}]}',
    "links": '{"content":[{"type":"resource_link","uri":"file:///A%20b?x=1#f","name":"n","size":3}]}',
    "not what the schema says": '{"content":[],"structuredContent":{"b":"not a number"},"isError":false}',
    "a task": '{"task":{"taskId":"1","status":"working","ttl":60000},"_meta":{"io.modelcontextprotocol/x":"hi"}}',
    "input required": '{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create"}},"requestState":"s"}',
    "deep": '{"content":[],"structuredContent":' + '{"a":[' * 40 + "1" + "]}" * 40 + "}",
}
"""Results of tool calls by name."""

ERRORS = {
    "a code of its own": '{"code":-32002,"message":"not there","data":{"uri":"x://y","n":null,"f":1.0}}',
    "data that is null": '{"code":-31999,"message":"m","data":null}',
    "unknown fields of an error": '{"code":5,"message":"m","vendor":1}',
    "the code of a closed connection": '{"code":-32000,"message":"Connection closed"}',
    "no message": '{"code":-32603,"message":""}',
}
"""Errors that tool calls are answered with, by name."""

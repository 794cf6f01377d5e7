import {PLAIN_FORMS,NO_DOCUMENT,NO_MODEL,bundle,INTERNAL,builtText} from "./build.mjs";
import { minify } from "/work/main/view/node_modules/terser/main.js";
import { gzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
const LETTERS = [..."etnrsoialcdmupfhgvybwxkjqz"];
const NAMES = { get: (serial) => { const more=[...LETTERS,...LETTERS.map(l=>l.toUpperCase())]; let name=LETTERS[serial%LETTERS.length]; for(let rest=Math.floor(serial/LETTERS.length);rest>0;rest=Math.floor(rest/more.length)) name+=more[--rest%more.length]; return name; } };
const style=readFileSync("/work/main/src/genui_core/data/kit/view.css","utf8");
const src=await bundle("src/index-minimal.js",{format:"iife",plugins:[PLAIN_FORMS,NO_DOCUMENT,NO_MODEL]});
const src2=await bundle("src/index-minimal.js",{format:"iife",plugins:[PLAIN_FORMS,NO_DOCUMENT,NO_MODEL],minifySyntax:false});
async function size(more,s=src,fmt={}){const {code}=await minify(s,{module:false,ecma:2020,compress:{passes:5,unsafe_arrows:true,keep_fargs:false,inline:2,unsafe:true,pure_getters:true,...more},format:{ascii_only:true,comments:false,...fmt},mangle:{nth_identifier:NAMES,properties:{regex:INTERNAL}}});return [gzipSync(style+code,{level:9}).length,code.length+style.length];}
const base=await size({});console.log("base",...base);
console.log("nosyntax",...await size({},src2));
const bools="arrows arguments booleans booleans_as_integers collapse_vars comparisons computed_props conditionals dead_code drop_debugger evaluate hoist_funs hoist_props hoist_vars if_return join_vars lhs_constants loops negate_iife properties reduce_funcs reduce_vars sequences side_effects switches toplevel typeofs unsafe_comps unsafe_Function unsafe_math unsafe_symbols unsafe_methods unsafe_proto unsafe_regexp unsafe_undefined unused".split(" ");
const def={arguments:0,booleans_as_integers:0,hoist_funs:0,hoist_vars:0,toplevel:0,unsafe_comps:0,unsafe_Function:0,unsafe_math:0,unsafe_symbols:0,unsafe_methods:0,unsafe_proto:0,unsafe_regexp:0,unsafe_undefined:0};
for(const b of bools){try{const r=await size({[b]:b in def});console.log(b,b in def,r[0]-base[0],r[1]-base[1]);}catch(e){console.log(b,"ERR",e.message)}}
for(const i of [0,1,3])console.log("inline",i,...await size({inline:i}).then(r=>[r[0]-base[0],r[1]-base[1]]));
for(const i of [1,20,100])console.log("seqlimit",i,...await size({sequences:i}).then(r=>[r[0]-base[0],r[1]-base[1]]));
for(const f of [{semicolons:false},{wrap_func_args:true},{quote_style:1},{quote_style:2},{max_line_len:500}])console.log(JSON.stringify(f),...await size({},src,f).then(r=>[r[0]-base[0],r[1]-base[1]]));

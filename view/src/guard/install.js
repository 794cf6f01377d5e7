/** Runs before all other code of the page. Import it first. */
import { readPageGuard } from "../shell/page-data.js";
import { guardPage } from "./guard.js";
import { keepPolicy } from "./policy.js";

keepPolicy();
guardPage(readPageGuard());

// Why a site has no file, in the words of the tool: language.Reason and language.Fault, with the same table.

import table from "../../../show/language/reasons.json";
import { visible } from "./dom";
import { writtenIn } from "./language";
import type { Answer } from "./wire";

const written = (): "de" | "en" => (writtenIn() === "de" ? "de" : "en");

/** Returns why a site did not respond, "" for an unknown kind of fault. */
function faultOf(kind = ""): string {
  return Object.hasOwn(table.faults, kind) ? table.faults[kind as "DNS"][written()] : "";
}

/** Returns the reason of a fetch. */
export function reasonOf({ cause, fault, fetch_reason: reason = "" }: Pick<Answer, "cause" | "fault" | "fetch_reason">): string {
  if ((cause === "network" || cause === "refused-address") && faultOf(fault) !== "") {
    return faultOf(fault);
  }
  for (const of of table.reasons) {
    const form = of.tool.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("%s", "(.*?)");
    const values = new RegExp(`^${form}$`, "s").exec(reason)?.slice(1);
    if (values) {
      const text = (written() === "en" && of.en) || (written() === "de" && of.de) || of.tool;
      return visible(text.replace(/%(\.0)?s/g, (_, dropped) => (dropped ? (values.shift(), "") : timeOf(values.shift() ?? ""))));
    }
  }
  return visible(reason);
}

/** Returns a time as the page shows it, and another text as it is. */
export function timeOf(text: string): string {
  const at = new Date(text);
  return !/^\d{4}-\d{2}-\d{2}T/.test(text) || Number.isNaN(at.getTime()) ? text : at.toLocaleString(writtenIn(), { dateStyle: "medium", timeStyle: "short" });
}

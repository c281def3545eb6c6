import { apiKeys } from "../schema/api-keys.ts"
import { changed, rowCounter, trigger } from "./declare.ts"

const NAMED = "INSERT OR REPLACE INTO api_key_names (id, name) VALUES (new.id, new.name)"

export const apiKeyTriggers = [
  ...rowCounter(apiKeys),
  trigger("api_keys_named", { on: apiKeys, after: "insert" }, NAMED),
  trigger("api_keys_renamed", { on: apiKeys, after: "update", of: [apiKeys.name], if: changed(apiKeys.name) }, NAMED),
]

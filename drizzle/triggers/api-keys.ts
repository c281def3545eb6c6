import { apiKeys } from "../schema/api-keys.ts"
import { changed, rowCounter, trigger } from "./declare.ts"

const UPSERT_NAME = "INSERT OR REPLACE INTO api_key_names (id, name) VALUES (new.id, new.name)"

export const apiKeyTriggers = [
  ...rowCounter(apiKeys),
  trigger("api_keys_named", { on: apiKeys, after: "insert" }, UPSERT_NAME),
  trigger(
    "api_keys_renamed",
    { on: apiKeys, after: "update", of: [apiKeys.name], if: changed(apiKeys.name) },
    UPSERT_NAME,
  ),
]

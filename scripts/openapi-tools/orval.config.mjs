import { resolve } from "node:path"

// Where npm run verify:openapi runs it.
const at = (path) => resolve(process.cwd(), path)

export default {
  lectern: { input: at("openapi.json"), output: { target: at("orval/client.ts"), client: "fetch" } },
}

// How another server is asked for the operations of npm run bench -- operations, which takes such a file with
// --adapter. This one is
// of the bare Worker: by the operation's number.
import type { Operation } from "../ratio/hot-operations.ts"
import type { Adapter } from "../ratio/operations.ts"

export const adapterOf =
  (operations: Operation[]): Adapter =>
  (operation) => ({ method: operation.kind === "read" ? "GET" : "POST", path: `/${operations.indexOf(operation)}` })

// The requests of npm run bench -- operations to another server, given by --adapter. This one is for the bare Worker,
// which identifies operations by number.
import type { Operation } from "../ratio/hot-operations.ts"
import type { Adapter } from "../ratio/operations.ts"

export const adapterOf =
  (operations: Operation[]): Adapter =>
  (operation) => ({ method: operation.kind === "read" ? "GET" : "POST", path: `/${operations.indexOf(operation)}` })

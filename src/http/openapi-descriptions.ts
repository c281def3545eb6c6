// What operations of one kind have in common, as the description of those that say nothing more.

/** What tells an operation's kind. */
interface Shape {
  method: string
  path: string
  parameters: readonly string[]
  statuses: object
}

const KINDS: readonly { is: (shape: Shape) => boolean; description: string }[] = [
  {
    is: ({ path }) => path.endsWith("/progress/{exportId}"),
    description: [
      "Returns the state (`processing`, `completed`, `cancelled` or `failed`), the progress from 0 to 100 and, once",
      "completed, where the file is. The export of another caller answers 404.",
    ].join(" "),
  },
  {
    is: ({ path }) => path.endsWith("/cancel/{exportId}"),
    description:
      "Stops the export within a page of rows and leaves no file. An export that has ended already answers 409.",
  },
  {
    is: ({ parameters }) => parameters.includes("page_number"),
    description: [
      "Returns one page of the records that the caller may see. `recordsTotal` counts them before the search,",
      "`recordsFiltered` after it. The `Link` header leads to the next page.",
    ].join(" "),
  },
  {
    is: ({ method, path, statuses }) => method === "get" && path.endsWith("{id}") && "304" in statuses,
    description:
      "Returns the record and its version in `ETag`. What the caller may not see answers 404, like an unknown id.",
  },
  {
    is: ({ method, path }) => method === "put" && path.endsWith("{id}"),
    description: [
      "Changes the given fields and keeps the others: what `GET` answers may be sent back. With `If-Match`, a record",
      "that changed since it was read answers 412.",
    ].join(" "),
  },
  {
    is: ({ method, path }) => method === "post" && /\/delete$/.test(path),
    description: "Deletes the listed records. Unknown ids are skipped; the message says how many were deleted.",
  },
  {
    is: ({ method, path }) => method === "post" && /\/create$|^\/api\/modules\/\w+$/.test(path),
    description: "Returns the id of the new record. With an `Idempotency-Key`, a repeated call creates it once.",
  },
  {
    is: ({ method, path }) => method === "get" && /lookup$/i.test(path),
    description: "Returns every value at once, without paging.",
  },
]

/** @returns the description of the operation's kind; undefined where it is of none */
export const commonDescription = (shape: Shape): string | undefined => KINDS.find(({ is }) => is(shape))?.description

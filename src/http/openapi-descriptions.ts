// Descriptions for kinds of operations, used where an operation has none.

/** What identifies the kind of an operation. */
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
      "Returns the state (`processing`, `completed`, `cancelled` or `failed`), the progress from 0 to 100 and, when",
      "completed, the file's URL. Another caller's export returns 404.",
    ].join(" "),
  },
  {
    is: ({ path }) => path.endsWith("/cancel/{exportId}"),
    description: "Cancels the export and deletes its file. Returns 409 if the export has already ended.",
  },
  {
    is: ({ parameters }) => parameters.includes("page_number"),
    description: [
      "Returns one page of the records that the caller can see. `recordsTotal` counts them before filtering,",
      "`recordsFiltered` after filtering. The `Link` header has the next page.",
    ].join(" "),
  },
  {
    is: ({ method, path, statuses }) => method === "get" && path.endsWith("{id}") && "304" in statuses,
    description:
      "Returns the record and its `ETag`. Returns 404 if the record does not exist or the caller cannot see it.",
  },
  {
    is: ({ method, path }) => method === "put" && path.endsWith("{id}"),
    description: [
      "Updates the fields that are sent; others keep their values. The response of `GET` is accepted as the body. With",
      "`If-Match`, returns 412 if the record has changed since it was read.",
    ].join(" "),
  },
  {
    is: ({ method, path }) => method === "post" && /\/delete$/.test(path),
    description: "Deletes the listed records. Unknown ids are skipped. The message has the number of deleted records.",
  },
  {
    is: ({ method, path }) => method === "post" && /\/create$|^\/api\/modules\/\w+$/.test(path),
    description:
      "Returns the id of the new record. With an `Idempotency-Key`, a repeated call creates only one record.",
  },
  {
    is: ({ method, path }) => method === "get" && /lookup$/i.test(path),
    description: "Returns all values without paging.",
  },
]

/** @returns the description of the operation's kind; undefined if none applies */
export const commonDescription = (shape: Shape): string | undefined => KINDS.find(({ is }) => is(shape))?.description

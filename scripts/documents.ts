// npm run documents: writes what the documents tell of the source: the operations in docs/interface.md, the codes of
// errors in docs/conventions.md, the chains of triggers in docs/architecture.md, the faults of the database in
// docs/reliability.md. With --check it only tells whether they are up to date.
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { declared } from "../drizzle/triggers/index.ts"
import { ERROR_MEANINGS } from "../src/lib/error-meanings.ts"
import { ERROR_CODES, type ErrorCode } from "../src/lib/errors.ts"
import { chainOf, reactionsOf } from "./chains.ts"
import { openApiDocument } from "./families.ts"
import { type Cell, ROWS } from "./lib/faults-table.ts"
import { root } from "./lib/state.ts"

const BEGIN = "<!-- Written by npm run documents: do not edit below. -->"

interface Entry {
  operationId: string
  summary: string
  tags: string[]
  "x-role"?: string
  "x-extension"?: boolean
  "x-changes"?: boolean
  deprecated?: boolean
  security?: object[]
}

type Document = { paths: Record<string, Record<string, Entry>> }

function operationsOf({ paths }: Document): string {
  const operations = Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods).map(([method, entry]) => ({ at, method, entry })),
  )
  const byTag = Map.groupBy(operations, ({ entry }) => entry.tags[0] ?? "Others")
  const marks = (entry: Entry) =>
    [
      ...(entry["x-extension"] ? ["extension"] : []),
      ...(entry["x-changes"] ? ["changes something"] : []),
      ...(entry.deprecated ? ["older spelling"] : []),
      ...(entry.security?.length && entry.security.every((way) => Object.keys(way).length > 0) ? ["protected"] : []),
    ].join(", ")
  const sections = [...byTag].map(([tag, of]) => {
    const rows = of.map(
      ({ at, method, entry }) =>
        `| \`${entry.operationId}\` | ${method.toUpperCase()} | \`${at}\` | ${entry.summary} ` +
        `| ${entry["x-role"] ?? "anyone"} | ${marks(entry)} |`,
    )
    return [
      `### ${tag}`,
      "",
      "| id | method | path | what it does | least role | |",
      "| --- | --- | --- | --- | --- | --- |",
      ...rows,
    ].join("\n")
  })
  return `${operations.length} operations.\n\n${sections.join("\n\n")}\n`
}

/** The changes whose chains a newcomer asks for. */
const CHANGES = [
  { title: "A module's status is written for the first time", table: "module_statuses", event: "insert" },
  {
    title: "A module is completed",
    table: "module_statuses",
    event: "update",
    columns: ["status", "last_accessed_at"],
  },
  {
    title: "A heartbeat adds time",
    table: "module_statuses",
    event: "update",
    columns: ["time_spent", "last_accessed_at"],
  },
  { title: "A user is registered in a course", table: "enrollments", event: "insert" },
  { title: "A registration ends", table: "enrollments", event: "delete" },
  { title: "A user joins a group", table: "group_members", event: "insert" },
  { title: "A user gets another name or address", table: "users", event: "update", columns: ["first_name"] },
  {
    title: "A class registration changes its status",
    table: "class_enrollments",
    event: "update",
    columns: ["status"],
  },
  { title: "An audit row is written", table: "audit_logs", event: "insert" },
] as const

function chains(): string {
  const reactions = reactionsOf(declared)
  const sections = CHANGES.map(({ title, table, event, ...more }) => {
    const columns = "columns" in more ? [...more.columns] : []
    return `### ${title}\n\n${chainOf(reactions, table, event, columns).join("\n")}`
  })
  return `${reactions.length} triggers.\n\n${sections.join("\n\n")}\n`
}

/** The codes of errors, by status. */
const errorCodes = (): string =>
  [
    "| status | code | when |",
    "| --- | --- | --- |",
    ...Object.entries(ERROR_CODES).map(
      ([code, status]) => `| ${status} | \`${code}\` | ${ERROR_MEANINGS[code as ErrorCode]} |`,
    ),
  ].join("\n")

/** A document as the formatter has it. */
const formatted = (path: string, text: string): string =>
  execFileSync(
    process.execPath,
    [join(root, "node_modules/@biomejs/biome/bin/biome"), "format", `--stdin-file-path=${path}`],
    { cwd: root, input: text, encoding: "utf8" },
  )

const told = ({ status, code, effect, note }: Cell) =>
  [
    code ? `${status} \`${code}\`` : String(status),
    ...(note ? [note] : []),
    code === "outcome_unknown" ? "" : effect === "once" ? "" : "nothing is changed",
  ]
    .filter(Boolean)
    .join("; ")

/** What faults of the database come to, as the tests hold the service to it. */
const faults = (): string =>
  [
    "| fault | a read | a mutation, while it reads | a mutation, when it writes | a consumer, the cron |",
    "| --- | --- | --- | --- | --- |",
    ...ROWS.map(
      ({ what, fault, on, read, reading, writing, job }) =>
        `| ${what} (\`${fault}${on ? "@1+" : ""}\`) | ${told(read)} | ${told(reading)} | ${told(writing)} | ${job} |`,
    ),
  ].join("\n")

const FAULTS_BEGIN = "<!-- faults: written by npm run documents from scripts/lib/faults-table.ts -->"
const FAULTS_END = "<!-- /faults -->"

const documents = [
  { path: "docs/interface.md", text: operationsOf((await openApiDocument()) as Document) },
  { path: "docs/conventions.md", text: errorCodes() },
  { path: "docs/architecture.md", text: chains() },
  // Others' sections follow.
  { path: "docs/reliability.md", text: faults(), begin: FAULTS_BEGIN, end: FAULTS_END },
]
for (const { path, text, begin = BEGIN, end } of documents) {
  const present = readFileSync(join(root, path), "utf8")
  const after = end ? `\n\n${present.slice(present.indexOf(end))}` : ""
  const wanted = formatted(path, `${present.slice(0, present.indexOf(begin))}${begin}\n\n${text}${after}`)
  if (present === wanted) continue
  if (!process.argv.includes("--check")) writeFileSync(join(root, path), wanted)
  else {
    console.error(`${path} does not tell what the source has. Run: npm run documents`)
    process.exitCode = 1
  }
}

/// <reference types="vite/client" />
import { describe, expect, it } from "vitest"
import { columnName, ENCRYPTED_COLUMNS } from "../../src/db/reencrypt.ts"
import { ERROR_CODES } from "../../src/lib/errors.ts"

// Checks of the source code that the compiler and the linter do not make.

const sources = import.meta.glob<string>(["../../src/**/*.{ts,tsx}", "!../../src/**/*.d.ts", "!../../src/console/**"], {
  query: "?raw",
  import: "default",
  eager: true,
})
/** Another program, for browsers. */
const consoleSources = import.meta.glob<string>("../../src/console/**/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
})
interface File {
  /** From the root. */
  path: string
  text: string
}
const toFiles = (found: Record<string, string>): File[] =>
  Object.entries(found).map(([path, text]) => ({
    path: path.replace(/^\.\.\/\.\.\//, "").replace(/^\.\.?\//, "test/"),
    text,
  }))
const files = toFiles(sources)
const consoleFiles = toFiles(consoleSources)
/** All files that are written by hand. */
const allFiles = [
  ...files,
  ...consoleFiles,
  ...toFiles(
    import.meta.glob<string>(["../../{drizzle,scripts,bench}/**/*.{ts,tsx,mjs}", "../**/*.ts"], {
      query: "?raw",
      import: "default",
      eager: true,
    }),
  ),
].filter(({ path }) => !path.includes(".generated."))
const importsOf = (text: string) => [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map(([, path = ""]) => path)
const filesWhere = (rule: (file: File) => boolean) => files.filter(rule).map((file) => file.path)

/** A file's imports, as paths from the root. */
const resolved = (path: string, text: string) =>
  importsOf(text).map((imported) => new URL(imported, `file:///${path}`).pathname.slice(1))

/** The folders that each folder of the console may import from, in addition to the client and CONSOLE_SHARED. */
const CONSOLE_IMPORTS: Record<string, string[]> = {
  api: [],
  // The page around a package: of another origin, where it is alone.
  frame: [],
  messages: ["api"],
  ui: ["api", "messages"],
  views: ["api", "frame", "messages", "ui"],
}
const CONSOLE_SHARED = new RegExp(
  [
    "^src/(client/|lib/caller.ts$)",
    // It loads no more than the service stores.
    "^src/lib/text/urls.ts$",
    // It has the same languages, translates the same errors and fills texts as the pages do.
    "^src/lib/text/languages.ts$",
    "^src/lib/texts/(problems|fill-text).ts$",
    // It lays certificates out as their PDFs are.
    "^src/lib/(pdf/(font-catalog|text-fitting|text-runs)|files/qr-code).ts$",
    "^src/modules/certificates/certificate-(code-place|layout|text).ts$",
  ].join("|"),
)

/** The layer of a file: its module under src/modules, else its folder, else itself. */
function layerOf(path: string): string {
  const [top, folder = "", ...rest] = path.split("/")
  if (top !== "src") return top ?? ""
  if (rest.length === 0 || folder === "db") return folder
  return folder === "modules" ? (rest[0] ?? "") : path.split("/").slice(1, -1).join("/")
}

const LIB = [
  "lib",
  "lib/crypto",
  "lib/files",
  "lib/input",
  "lib/pdf",
  "lib/spreadsheet",
  "lib/text",
  "lib/texts",
  "lib/web",
  "db",
]
const SHARED = ["drizzle", "env.ts", ...LIB, "access", "http", "middleware"]

/** The translations of the API's errors, which pages share with the console. */
const ERROR_TEXTS = ["es", "fr", "de", "pt", "ar"].map((language) => `console/messages/${language}`)

/** The folders that each folder may import from. Each line names only folders above it, so there is no cycle. */
const ALLOWED_IMPORTS: Record<string, string[]> = {
  "package.json": [],
  migrations: [],
  "env.ts": [],
  lib: [],
  "lib/crypto": ["env.ts", "lib"],
  "lib/pdf": ["lib"],
  "lib/text": ["lib"],
  "lib/texts": ["lib", "lib/text"],
  "lib/input": ["lib", "lib/text"],
  "lib/files": ["lib", "lib/text"],
  db: ["drizzle", "env.ts", "lib", "lib/crypto", "lib/input", "lib/text"],
  "lib/spreadsheet": ["lib", "lib/files", "lib/text", "db"],
  "lib/web": ["env.ts", "lib", "lib/crypto", "lib/spreadsheet", "lib/text", "db"],
  "durable-objects": ["drizzle", "env.ts", "lib", "lib/crypto", "db"],
  access: ["drizzle", "env.ts", "lib", "lib/crypto", "lib/input", "lib/text", "lib/web", "db", "durable-objects"],
  middleware: ["env.ts", "lib", "lib/web", "db", "access"],
  http: ["package.json", "lib", "lib/input", "lib/text", "lib/web", "middleware"],
  pages: ["drizzle", "lib", "lib/text", "lib/texts", "lib/web", "lib/crypto", "db", "http", ...ERROR_TEXTS],
  // Rules of the academy, and what other modules notify people of.
  settings: SHARED,
  notifications: [...SHARED, "pages", "settings"],
  announcements: [...SHARED, "notifications"],
  exports: SHARED,
  gamification: SHARED,
  health: [...SHARED, "migrations", "package.json"],
  mcp: [...SHARED, "pages", "package.json"],
  mail: [...SHARED, "notifications", "settings"],
  webhooks: SHARED,
  // What follows from a learner's progress: every module that changes progress calls it.
  progress: [...SHARED, "gamification", "notifications"],
  users: [...SHARED, "pages", "exports"],
  audit: [...SHARED, "users"],
  courses: [...SHARED, "progress"],
  reviews: [...SHARED, "courses"],
  classes: [...SHARED, "gamification", "notifications", "courses"],
  enrollments: [...SHARED, "pages", "notifications", "users", "progress", "courses"],
  // Who may see a file depends on the records that use it.
  media: [...SHARED, "announcements", "courses", "enrollments"],
  "assignment-rules": [...SHARED, "notifications", "progress", "courses", "enrollments"],
  calendars: [...SHARED, "classes"],
  home: [...SHARED, "pages", "announcements", "enrollments"],
  organizations: [...SHARED, "settings", "users"],
  privacy: [...SHARED, "users", "exports"],
  assessments: [...SHARED, "gamification", "notifications", "progress", "courses", "enrollments", "exports"],
  // The next cycle of a training resets its modules and attempts.
  "due-dates": [...SHARED, "notifications", "progress", "enrollments", "assessments"],
  auth: [...SHARED, "pages", "settings", "gamification", "notifications", "users", "organizations"],
  billing: [...SHARED, "users", "enrollments"],
  certificates: [...SHARED, "pages", "users", "progress", "enrollments"],
  // Their PDFs are drawn like certificates.
  transcripts: [...SHARED, "pages", "enrollments", "certificates"],
  reports: [...SHARED, "users", "courses", "enrollments", "exports", "certificates"],
  "report-schedules": [...SHARED, "notifications", "progress", "exports", "reports"],
  bulk: [...SHARED, "users", "organizations", "courses", "enrollments", "classes", "billing"],
  scim: [...SHARED, "users", "organizations", "auth"],
  scorm: [...SHARED, "progress", "courses", "enrollments", "assessments"],
  worker: [
    ...SHARED,
    ...[
      "announcements",
      "assessments",
      "assignment-rules",
      "auth",
      "billing",
      "bulk",
      "calendars",
      "classes",
      "courses",
      "enrollments",
      "exports",
      "media",
    ],
    ...["due-dates", "gamification", "mail", "notifications", "organizations", "privacy", "report-schedules"],
    ...["reports", "users"],
    "webhooks",
  ],
  // A package of its own, for other programs: it imports nothing of the Worker, and the Worker nothing of it.
  client: [],
  "client/examples": [],
}

/** Imports that the table does not allow: `file → layer`. */
const forbiddenImports = (of: File[]) =>
  of.flatMap(({ path, text }) => {
    const layer = layerOf(path)
    const allowed = ALLOWED_IMPORTS[layer]
    // The Worker's entry points mount allFiles.
    if (["app.ts", "index.ts", "primary.ts", "routes.generated.ts"].includes(layer)) return []
    if (!allowed) return [`${path}: ${layer} is not in the table`]
    return resolved(path, text)
      .map(layerOf)
      .filter((other) => other !== layer && !allowed.includes(other))
      .map((other) => `${path} → ${other}`)
  })

/** The folders that write the tables of each file in drizzle/schema; the other tables are written by triggers only. */
const OWNERS: Record<string, string[]> = {
  ...Object.fromEntries(
    Object.entries({
      auth: "sign-ups sso two-factor",
      users: "addresses consents custom-fields email-rules pending-emails",
      organizations: "groups locations portals",
      courses: "courses modules question-bank",
      media: "media",
      assessments: "assignments quizzes",
      scorm: "scorm",
      classes: "classes",
      calendars: "calendars",
      certificates: "certificates",
      transcripts: "transcripts",
      gamification: "badges gamification-events leaderboard",
      billing: "cards carts membership-courses memberships orders subscriptions",
      bulk: "bulk-uploads",
      privacy: "erasures",
      exports: "exports",
      announcements: "announcements",
      notifications: "notifications",
      settings: "settings",
      reviews: "reviews",
      "assignment-rules": "assignment-rules",
      webhooks: "events webhooks",
      db: "audit external-ids reencryption",
    }).flatMap(([folder, tables]) => tables.split(" ").map((table) => [table, [folder]])),
  ),
  users: ["users", "auth", "access"],
  "user-sources": ["users"],
  // Which categories a course manager sees is part of the user.
  categories: ["courses", "users"],
  passwords: ["auth", "users"],
  devices: ["auth", "access"],
  "api-keys": ["auth", "durable-objects"],
  system: ["db", "access"],
  "cron-runs": ["db", "worker"],
  // A change of a course's modules recounts its enrollments; deleting a group clears it from them.
  enrollments: ["enrollments", "progress", "courses", "organizations", "due-dates"],
  // The next cycle of a training has new due dates.
  "assignment-rules": ["assignment-rules", "progress"],
  "learning-paths": ["enrollments", "progress"],
  submissions: ["assessments", "progress"],
  groups: ["organizations", "users"],
  // Progress issues certificates. A certificate outlives its course.
  certificates: ["certificates", "progress", "courses", "due-dates"],
  reports: ["courses"],
  "report-schedules": ["report-schedules"],
  "background-jobs": ["db", "health", "worker"],
  // Modules that send mail insert an outbox row; the mail module sends it.
  outbox: ["db", "mail", "announcements", "notifications"],
}

/** An erasure writes tables of every module, as personal-data.ts declares. */
const ERASING = /^src\/modules\/privacy\/erasure/

/** The tables that a file writes, as `<file in drizzle> <table>`. */
function writesOf({ text }: File): string[] {
  const tables = new Map<string, string>()
  for (const [, names = "", family = ""] of text.matchAll(
    /import \{([^}]*)\} from "[./]+\/drizzle\/schema\/([\w-]+)\.ts"/g,
  ))
    for (const name of names.split(",")) {
      const [table = "", alias = table] = name.trim().split(" as ")
      tables.set(alias, `${family} ${table}`)
    }
  const writes = [
    /\.(?:insert|update|delete)\(\s*(\w+)\s*\)/g,
    /insertFrom\(\s*[\w.]+,\s*(\w+)/g,
    /(?:insert (?:or \w+ )?into|update|delete from) \$\{(\w+)\}/gi,
    /\b(?:change|remove)\(\s*work,\s*\{\s*table(?:: (\w+))?/g,
  ].flatMap((write) => [...text.matchAll(write)].map(([, table = ""]) => table))
  return [...new Set(writes)].flatMap((name) => tables.get(name) ?? [])
}

/** Writes to tables that another layer owns: `file: table`. */
const foreignWrites = (of: File[]) =>
  of
    .filter(({ path }) => !ERASING.test(path))
    .flatMap((file) =>
      writesOf(file)
        .filter((write) => !OWNERS[write.split(" ")[0] ?? ""]?.includes(layerOf(file.path)))
        .map((write) => `${file.path}: ${write.split(" ")[1]}`),
    )

/** Import cycles between files. */
function importCycles(of: File[]): string[] {
  const imports = new Map(of.map(({ path, text }) => [path, resolved(path, text)]))
  const done = new Set<string>()
  const found: string[] = []
  const visit = (path: string, above: string[]) => {
    if (above.includes(path)) found.push([...above.slice(above.indexOf(path)), path].join(" → "))
    if (done.has(path) || above.includes(path)) return
    for (const next of imports.get(path) ?? []) visit(next, [...above, path])
    done.add(path)
  }
  for (const path of imports.keys()) visit(path, [])
  return found
}

describe("the modules and layers", () => {
  it("import only from the layers below them", () => {
    expect(forbiddenImports(files)).toEqual([])
    const planted = { path: "src/db/planted.ts", text: 'import { users } from "../modules/users/users.ts"' }
    expect(forbiddenImports([planted])).toEqual(["src/db/planted.ts → users"])
  })

  it("are in an order without a cycle", () => {
    const names = Object.keys(ALLOWED_IMPORTS)
    const later = names.flatMap((layer, at) =>
      (ALLOWED_IMPORTS[layer] ?? []).filter((other) => names.indexOf(other) > at).map((other) => `${layer} → ${other}`),
    )
    expect(later).toEqual([])
  })

  it("write their own tables only", () => {
    expect(foreignWrites(files)).toEqual([])
    const imported = 'import { courses, enrollments as e } from "../../../drizzle/schema/courses.ts"\n'
    const planted = [
      "db.insert(courses).values(row)",
      "insertFrom(db, courses, {}, sql``)",
      ["sql`delete from $", "{courses}`"].join(""),
      "db.update(e).set({})",
    ].map((write) => ({ path: "src/modules/classes/planted.ts", text: `${imported}${write}` }))
    const tables = ["courses", "courses", "courses", "enrollments"]
    expect(foreignWrites(planted)).toEqual(tables.map((table) => `src/modules/classes/planted.ts: ${table}`))
    expect(files.flatMap(writesOf).length).toBeGreaterThan(80)
  })

  it("have no import cycle between files", () => {
    expect(importCycles(allFiles)).toEqual([])
    const planted = [
      { path: "src/lib/a.ts", text: 'import { b } from "./b.ts"' },
      { path: "src/lib/b.ts", text: 'import { a } from "./a.ts"' },
    ]
    expect(importCycles(planted)).toEqual(["src/lib/a.ts → src/lib/b.ts → src/lib/a.ts"])
  })
})

/** The files that use the binding directly. */
const OVER_D1 = ["src/db/client.ts", "src/db/fault-injection.ts", "src/client/examples/nightly.ts"]

/** Lines that no editor shows whole: `file:line`. */
const longLines = (of: File[]) =>
  of.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, at) => (line.length > 120 ? [`${path}:${at + 1}`] : [])),
  )

/** Names that two files export: `name: files`. Schemas are read as `schemas.name`; a router has its family's name. */
function ambiguous(of: File[]): string[] {
  const exporters = new Map<string, string[]>()
  const declared = /^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm
  for (const { path, text } of of)
    if (!/\.(schemas|routes|page)\.tsx?$/.test(path))
      for (const [, name = ""] of text.matchAll(declared)) exporters.set(name, [...(exporters.get(name) ?? []), path])
  return [...exporters].flatMap(([name, paths]) => (paths.length > 1 ? [`${name}: ${paths.join(", ")}`] : []))
}

describe("the console", () => {
  it("imports from the service only its client, roles and certificate layouts", () => {
    const arrows = consoleFiles.flatMap(({ path, text }) => resolved(path, text).map((to) => ({ path, to })))
    const outside = arrows.filter(({ to }) => !to.startsWith("src/console/") && !CONSOLE_SHARED.test(to))
    expect(outside).toEqual([])
    const folderAt = (path: string) => path.split("/")[2] ?? ""
    const wrong = arrows.filter(({ path, to }) => {
      const [from, layer] = [folderAt(path), folderAt(to)]
      const isInside = to.startsWith("src/console/") && from in CONSOLE_IMPORTS
      return isInside && from !== layer && !CONSOLE_IMPORTS[from]?.includes(layer)
    })
    expect(wrong).toEqual([])
  })

  it("has texts only in its catalogs, no markup as text and no style attribute", () => {
    const rules = /\bdangerouslySetInnerHTML\b|\binnerHTML\b|\sstyle=[{"]|>\s*[A-Za-z]{2,}[^<>{}()=;]*<\//
    expect(consoleFiles.filter(({ text }) => rules.test(text)).map(({ path }) => path)).toEqual([])
    for (const planted of ["<p>Hello there</p>", '<p style="x">', "element.innerHTML = x"])
      expect(planted).toMatch(rules)
  })
})

describe("the source", () => {
  it("is found", () => {
    expect(files.length).toBeGreaterThan(30)
    expect(allFiles.length).toBeGreaterThan(files.length + 100)
  })

  it("encrypts only columns that the cron reencrypts: see ENCRYPTED_COLUMNS", () => {
    // What each file seals: columns, or what is gone within a day.
    const ENCRYPTING_FILES: Record<string, string> = {
      "db/outbox.ts": "outbox.secret",
      "db/reencrypt.ts": "all of them",
      "db/unit-of-work.ts": "idempotency_keys.answer",
      "modules/auth/two-factor.queries.ts": "two_factor.secret recovery_codes.code_hash",
      "modules/scorm/scorm-content-token.ts": "a path of twelve hours",
      "modules/media/media-link.ts": "a path of twelve hours",
      "modules/courses/courses.queries.ts": "courses.enrollment_key",
      "modules/bulk/bulk-upload.queries.ts": "bulk_upload_chunks.encrypted_rows",
      "modules/privacy/erasures.queries.ts": "erasures.subject",
      "modules/classes/class-fields.ts": "classes.webinar_host_pwd",
      "modules/auth/sign-up.queries.ts": "sign_ups.person",
      "modules/auth/sso-providers.queries.ts": "sso_providers.client_secret",
      "modules/auth/sso-sign-in.queries.ts": "a cookie of ten minutes",
      "modules/auth/sso-logout.queries.ts": "a cookie of twelve hours",
      "modules/webhooks/webhooks.queries.ts": "webhooks.secret webhooks.previous_secret",
    }
    const sealers = filesWhere(({ path, text }) => /\bencrypt\(/.test(text) && !path.endsWith("/crypto/crypto.ts"))
    expect(sealers.sort()).toEqual(
      Object.keys(ENCRYPTING_FILES)
        .map((path) => `src/${path}`)
        .sort(),
    )
    const fields = Object.values(ENCRYPTING_FILES).flatMap((what) => what.match(/\w+\.\w+/g) ?? [])
    expect(fields.sort()).toEqual(ENCRYPTED_COLUMNS.map(columnName).sort())
  })

  it("changes credentials only where the policy is checked (src/access/credentials.ts)", () => {
    const tables = "users|twoFactor|recoveryCodes|apiKeys|passwordLinks|temporaryPasswords|pendingEmails|userIdentities"
    const writes = new RegExp(
      `\\.(insert|update|delete)\\((${tables}|devices)\\)|insertFrom\\(\\s*\\w+,\\s*users\\b|` +
        "\\b(setPasswordHash|setUserType|setDisabled|insertUsers)\\(",
    )
    // Which files write them without asking, and why.
    const EXEMPT: Record<string, string> = {
      "access/accounts.ts": "what others call who have asked",
      "access/revocations.ts": "devices end with the sessions of other users",
      "durable-objects/cached-key.ts": "a key's last use, and its hash in another form",
      "modules/bulk/bulk-upload-write.ts": "what bulk-upload.queries.ts was allowed",
      "modules/users/changed-users.ts": "names",
      "modules/users/held-membership.ts": "memberships",
      "modules/users/invitations.queries.ts": "callers have checked the policy",
      "modules/auth/sso-account-updates.ts": "roles that the provider's settings were allowed to assign",
      "modules/auth/sso-providers.background.ts": "the links of a provider that is deleted, or becomes another one",
      "modules/auth/sso-user.queries.ts": "the person who signs in",
    }
    const asks = /from "[./]+(access\/)?credentials\.ts"/
    const writers = filesWhere(
      ({ path, text }) => !path.startsWith("src/console/") && writes.test(text) && !asks.test(text),
    )
    expect(writers.sort()).toEqual(
      Object.keys(EXEMPT)
        .map((path) => `src/${path}`)
        .sort(),
    )
    expect("db.update(users).set({})").toMatch(writes)
    expect("insertFrom(\n    db,\n    users,").toMatch(writes)
  })

  it("has no line of more than 120 characters, SQL and tests included", () => {
    expect(longLines(allFiles)).toEqual([])
    expect(longLines([{ path: "a.ts", text: `a\n${"b".repeat(121)}` }])).toEqual(["a.ts:2"])
  })

  it("exports each name once", () => {
    expect(ambiguous(files)).toEqual([])
    const planted = [
      { path: "a.ts", text: "export const named = 1" },
      { path: "b.ts", text: "export function named() {}" },
    ]
    expect(ambiguous(planted)).toEqual(["named: a.ts, b.ts"])
  })

  it("runs statements in batches only, which are metered", () => {
    const alone = /await\s+(\w+\.)*(db|orm)\s*\.\s*(select|insert|update|delete|run|all|get|values)\b/
    expect(filesWhere(({ text }) => alone.test(text))).toEqual([])
    expect(filesWhere(({ path, text }) => !OVER_D1.includes(path) && /\.prepare\(|\.transaction\(/.test(text))).toEqual(
      [],
    )
  })

  it("keeps routes free of SQL and of try", () => {
    const routes = files.filter(({ path }) => /modules\/(?!auth\/(sessions|oauth)\.).*\.routes\.tsx?$/.test(path))
    expect(
      routes.filter(({ text }) => /drizzle(?!\/statuses)|\bsql`|\btry\b/.test(text)).map(({ path }) => path),
    ).toEqual([])
  })

  it("parses JSON from outside in one place, which limits its depth", () => {
    const reads = ({ path, text }: { path: string; text: string }) =>
      /\.schemas\.ts$|^src\/lib\//.test(path) && path !== "src/lib/text/json.ts" && text.includes("JSON.parse(")
    expect(filesWhere(reads)).toEqual([])
  })

  it("reads request bodies in one place, and decodes no bytes leniently", () => {
    const readsBody = /\bbodyLimit\(|\.req\.(raw\.)?(formData|blob|parseBody|arrayBuffer)\(/
    // The idempotency key hashes the decoded body; OAuth clients get errors in the format of RFC 6749.
    const readers = ["src/middleware/idempotency.ts", "src/lib/web/body.ts", "src/modules/auth/oauth.routes.ts"]
    expect(filesWhere(({ path, text }) => !readers.includes(path) && readsBody.test(text))).toEqual([])
    // In Windows-1252 every byte is a character.
    const lenient = /new TextDecoder(Stream)?\((?!"windows-1252")(?![^)]*fatal: true)/
    expect(filesWhere(({ path, text }) => !path.startsWith("src/client/") && lenient.test(text))).toEqual([])
    expect(lenient.test('new TextDecoder("utf-8")')).toBe(true)
  })

  it("throws every code that the documents list", () => {
    const unused = Object.keys(ERROR_CODES).filter((code) => !files.some(({ text }) => text.includes(`"${code}"`)))
    expect(unused).toEqual([])
  })

  it("reads the time in one place", () => {
    expect(
      filesWhere(
        ({ path, text }) => !/^src\/(client\/|lib\/clock)/.test(path) && /Date\.now\(\)|new Date\(\)/.test(text),
      ),
    ).toEqual([])
  })

  it("imports each special-purpose library in one file", () => {
    for (const library of [
      "otplib",
      "oauth4webapi",
      "ipaddr.js",
      "qrcode-svg",
      "@pdf-lib/upng",
      "harfbuzzjs/dist/harfbuzz.wasm",
      "bidi-js",
      "hono/jwt",
      "@hono/zod-validator",
      "@date-fns/tz",
      "rrule",
      "ical-generator",
      "write-excel-file/universal",
      "xss",
      "@zip.js/zip.js/index-native.js",
      "saxes",
      "file-type",
      "webvtt-parser",
    ]) {
      const importers = filesWhere(({ text }) => new RegExp(`(from|import\\()\\s*"${library}"`).test(text))
      expect(importers.length, `${library}: ${importers.join(", ")}`).toBe(1)
    }
  })

  it("caches modules that it loads on demand: other calls would wait for a bare import()", () => {
    const bare = (text: string) =>
      /(?<!(typeof |onDemand\(\(\) => ))\bimport\(/.test(text.replace(/^ *(\/\*)?\*.*$/gm, ""))
    expect(filesWhere(({ text }) => bare(text))).toEqual([])
    expect(bare(["await imp", 'ort("./planted.ts")'].join(""))).toBe(true)
  })

  it("has no unfinished names, and suppresses nothing without a reason", () => {
    expect(filesWhere(({ text }) => /\b(TODO|FIXME|XXX|HACK)\b|@ts-(ignore|nocheck|expect-error)/.test(text))).toEqual(
      [],
    )
    expect(filesWhere(({ text }) => /biome-ignore [^:]+:\s*$/m.test(text))).toEqual([])
  })
})

describe("the tests", () => {
  it("match patterns against text, inside an object too", () => {
    const answer = { status: 422, body: { errors: { name: ["name is taken"] } } }
    expect(answer).toMatchObject({ body: { errors: { name: [/taken/] } } })
    expect(answer).not.toMatchObject({ body: { errors: { name: [/required/] } } })
    expect(answer).not.toMatchObject({ status: /422/ })
  })
})

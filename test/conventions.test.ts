/// <reference types="vite/client" />
import { describe, expect, it } from "vitest"

// Rules that are easier broken than seen, held against the source itself.

const sources = import.meta.glob<string>(["../src/**/*.{ts,tsx}", "!../src/**/*.d.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
})
const files = Object.entries(sources).map(([path, text]) => ({ path: path.replace("../", ""), text }))
const importsOf = (text: string) => [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, path = ""]) => path)
const breaking = (rule: (file: { path: string; text: string }) => boolean) =>
  files.filter(rule).map((file) => file.path)

describe("the source", () => {
  it("is there to be read", () => {
    expect(files.length).toBeGreaterThan(30)
  })

  it("runs no statement by itself: only batches are metered", () => {
    const alone = /await\s+(\w+\.)*(db|orm)\s*\.\s*(select|insert|update|delete|run|all|get|values)\b/
    expect(breaking(({ text }) => alone.test(text))).toEqual([])
    expect(breaking(({ path, text }) => path !== "src/lib/db.ts" && /\.prepare\(|\.transaction\(/.test(text))).toEqual(
      [],
    )
  })

  it("keeps lib/ free of modules, and routes free of SQL and of try", () => {
    const intoModules = (text: string) => importsOf(text).some((path) => path.includes("modules/"))
    expect(breaking(({ path, text }) => path.startsWith("src/lib/") && intoModules(text))).toEqual([])
    const routes = files.filter(({ path }) => /modules\/(?!sessions).*\.routes\.tsx?$/.test(path))
    expect(routes.filter(({ text }) => /drizzle|\bsql`|\btry\b/.test(text)).map(({ path }) => path)).toEqual([])
  })

  it("reads JSON from outside in one place, which bounds how deep it is", () => {
    const reads = ({ path, text }: { path: string; text: string }) =>
      /\.schemas\.ts$|^src\/lib\//.test(path) && path !== "src/lib/json.ts" && text.includes("JSON.parse(")
    expect(breaking(reads)).toEqual([])
  })

  it("reads the time in one place", () => {
    expect(
      breaking(({ path, text }) => path !== "src/lib/clock.ts" && /Date\.now\(\)|new Date\(\)/.test(text)),
    ).toEqual([])
  })

  it("has one importer of each library that does one thing", () => {
    for (const library of [
      "otplib",
      "qrcode-svg",
      "pdf-lib",
      "harfbuzzjs/dist/harfbuzz.wasm",
      "bidi-js",
      "hono/jwt",
      "@zxcvbn-ts/language-common",
      "xss",
      "@zip.js/zip.js/index-native.js",
      "saxes",
      "file-type",
    ]) {
      const importers = breaking(({ text }) => new RegExp(`(from|import\\()\\s*"${library}"`).test(text))
      expect(importers.length, `${library}: ${importers.join(", ")}`).toBeLessThanOrEqual(1)
    }
  })

  it("names nothing unfinished, and silences nothing without a reason", () => {
    expect(breaking(({ text }) => /\b(TODO|FIXME|XXX|HACK)\b|@ts-(ignore|nocheck|expect-error)/.test(text))).toEqual([])
    expect(breaking(({ text }) => /biome-ignore [^:]+:\s*$/m.test(text))).toEqual([])
  })
})

describe("the tests", () => {
  it("hold a pattern against the text, inside an object too", () => {
    const answer = { status: 422, body: { errors: { name: ["name is taken"] } } }
    expect(answer).toMatchObject({ body: { errors: { name: [/taken/] } } })
    expect(answer).not.toMatchObject({ body: { errors: { name: [/required/] } } })
    expect(answer).not.toMatchObject({ status: /422/ })
  })
})

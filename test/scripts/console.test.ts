// The built console: message catalogs, size of the first view, and the logo.
import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, it } from "node:test"
import { gzipSync } from "node:zlib"
import { root } from "../../scripts/lib/state.ts"
import { ERROR_CODES } from "../../src/lib/errors.ts"
import { LANGUAGES } from "../../src/lib/text/languages.ts"
import { messageKey, RULE_NAMES } from "../../src/lib/texts/problems.ts"

type Catalog = Record<string, string>
const messages = join(root, "src/console/messages")
const languages = readdirSync(messages, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
const catalogs = readdirSync(join(messages, "en"))
const read = (language: string, name: string): Catalog =>
  JSON.parse(readFileSync(join(messages, language, name), "utf8"))

const PLURAL = /_(zero|one|two|few|many|other)$/
const placeholdersOf = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)

/** Message keys without plural suffix, with their plural forms. */
function pluralFormsByKey(catalog: Catalog): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>()
  for (const name of Object.keys(catalog)) {
    const [suffix, form = ""] = PLURAL.exec(name) ?? []
    const base = suffix ? name.slice(0, -suffix.length) : name
    names.set(base, (names.get(base) ?? new Set()).add(form))
  }
  return names
}

/** All forms of each message. */
const pluralTexts = (catalog: Catalog): Map<string, string[]> =>
  new Map(
    [...Map.groupBy(Object.entries(catalog), ([key]) => key.replace(PLURAL, ""))].map(([base, entries]) => [
      base,
      entries.map(([, text]) => text),
    ]),
  )

/** Texts of more than two words that other languages keep: names and examples. */
const SAME_IN_ALL: ReadonlySet<string> = new Set(["Microsoft Entra ID"])

describe("message catalogs of the console", () => {
  it("exist in every language", () => {
    assert.deepEqual([...languages].sort(), [...LANGUAGES].sort())
    for (const language of languages) assert.deepEqual(readdirSync(join(messages, language)), catalogs, language)
  })

  for (const language of languages)
    for (const name of catalogs)
      it(`have the same keys, with the plural forms of the language: ${language}/${name}`, () => {
        const forms = new Set<string>(new Intl.PluralRules(language).resolvedOptions().pluralCategories)
        const expected = pluralFormsByKey(read("en", name))
        const actual = pluralFormsByKey(read(language, name))
        assert.deepEqual([...actual.keys()].sort(), [...expected.keys()].sort())
        for (const [base, has] of actual) {
          const isCounted = !expected.get(base)?.has("")
          assert.deepEqual([...has].sort(), isCounted ? [...forms].sort() : [""], `${language}: ${base}`)
        }
      })

  it("have the placeholders of the English message, and are not empty", () => {
    for (const name of catalogs) {
      const english = pluralTexts(read("en", name))
      for (const language of languages)
        for (const [key, text] of Object.entries(read(language, name))) {
          const base = key.replace(PLURAL, "")
          const expected = new Set(english.get(base)?.flatMap(placeholdersOf))
          const actual = new Set(placeholdersOf(text))
          // A form for none, one or two things may say the number in words. `shown` is the formatted number.
          if (/_(zero|one|two)$/.test(key))
            for (const placeholder of ["count", "shown"]) for (const set of [expected, actual]) set.delete(placeholder)
          assert.deepEqual([...actual].sort(), [...expected].sort(), `${language}/${name}: ${key}`)
          assert.ok(text.trim(), `${language}/${name}: ${key} is empty`)
        }
    }
  })

  it("are translated", () => {
    const words = (text: string) => text.replaceAll(/\{\{\w+\}\}/g, "").match(/\p{L}[\p{L}'’-]*/gu) ?? []
    const same = languages
      .filter((language) => language !== "en")
      .flatMap((language) =>
        catalogs.flatMap((name) => {
          const english = read("en", name)
          return Object.entries(read(language, name))
            .filter(([key, text]) => text === english[key] && words(text).length > 2 && !SAME_IN_ALL.has(text))
            .map(([key, text]) => `${language}/${name}: ${key}: ${text}`)
        }),
      )
    assert.deepEqual(same, [])
  })

  it("are all used by the console", () => {
    const sources = readdirSync(join(root, "src/console"), { recursive: true, encoding: "utf8" })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => readFileSync(join(root, "src/console", path), "utf8"))
      .join("\n")
    // Dynamic keys, such as `nav.group.${group}`, are matched by their prefix.
    const dynamicPrefixes = [...sources.matchAll(/`([\w:.-]+)\$\{/g)].map(([, start = ""]) => start)
    for (const name of catalogs) {
      const prefix = name === "common.json" ? "" : `${name.replace(".json", "")}:`
      for (const base of pluralFormsByKey(read("en", name)).keys()) {
        const key = `${prefix}${base}`
        const isUsed = sources.includes(`"${key}"`) || dynamicPrefixes.some((start) => key.startsWith(start))
        assert.ok(isUsed, `${key} is not used`)
      }
    }
  })
})

describe("translations of the API's messages", () => {
  const english = read("en", "api.json")
  const keysOf = (group: string) =>
    Object.keys(english).flatMap((key) => (key.startsWith(`${group}.`) ? [key.slice(group.length + 1)] : []))

  it("exist for every error code", () => {
    const missing = Object.keys(ERROR_CODES).filter((code) => !keysOf("code").includes(code))
    assert.deepEqual(missing, [])
  })

  it("exist for every rule of fields that is recognized, and for no other", () => {
    assert.deepEqual(keysOf("rule").sort(), RULE_NAMES.toSorted())
  })

  it("are of messages that the service sends", () => {
    const sources = readdirSync(join(root, "src/modules"), { recursive: true, encoding: "utf8" })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => readFileSync(join(root, "src/modules", path), "utf8"))
      .join("\n")
    for (const [key, message] of Object.entries(english)) {
      if (!key.startsWith("done.") || key === "done.other") continue
      assert.ok(sources.includes(message), `No operation answers: ${message}`)
      assert.equal(key, messageKey(message))
    }
  })
})

describe("the first view of the console", () => {
  const built = join(root, ".assets/assets/console")
  const manifest: Record<string, { file: string; imports?: string[]; css?: string[] }> = JSON.parse(
    readFileSync(join(built, "manifest.json"), "utf8"),
  )

  const page = readFileSync(join(built, "index.html"), "utf8")
  /** The files that the page itself loads. */
  const initial = [...page.matchAll(/"\/assets\/console\/([^"]+)"/g)].map(([, name = ""]) => name)

  /** All files that an entry loads, including its own. */
  function filesOf(entry: string, seen = new Set<string>()): Set<string> {
    const { file, imports = [], css = [] } = manifest[entry] ?? assert.fail(`${entry} is not in the manifest`)
    if (seen.has(file)) return seen
    for (const loaded of [file, ...css]) seen.add(loaded)
    for (const next of imports) filesOf(next, seen)
    return seen
  }

  const messages = ["common", "home"]

  it("loads its common code in one script and one style sheet", () => {
    assert.deepEqual(initial.map((name) => name.replace(/-[\w-]{8}\./, ".")).sort(), ["console.css", "console.js"])
  })

  it("is smaller than 90 KB gzipped in every language", () => {
    for (const language of languages) {
      const entries = ["views/home/staff-home.tsx", ...messages.map((name) => `messages/${language}/${name}.json`)]
      const files = new Set(["index.html", ...initial, ...entries.flatMap((entry) => [...filesOf(entry)])])
      const bytes = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(built, file))).length, 0)
      assert.ok(bytes < 90_000, `${language}: ${bytes} bytes in ${[...files].join(", ")}`)
    }
  })

  it("loads only from its own origin, without inline scripts or styles", () => {
    assert.doesNotMatch(page, /<script(?![^>]* src="\/assets\/)|<style|\sstyle=|\son\w+=|https?:/)
    for (const name of readdirSync(built).filter((file) => file.endsWith(".css")))
      assert.doesNotMatch(readFileSync(join(built, name), "utf8"), /@import|url\((?!["']?(\/assets\/|data:))/)
  })
})

describe("the logo", () => {
  /** Relative luminance as defined by WCAG. */
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const contrast = (first: string, second: string) => {
    const [dark = 0, light = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b)
    return (light + 0.05) / (dark + 0.05)
  }

  it("has a contrast of 3:1 with the header in both color schemes", () => {
    const svg = readFileSync(join(root, "src/pages/logo.svg"), "utf8")
    const styles = readFileSync(join(root, "src/console/styles/tokens.css"), "utf8")
    const fills = [...svg.matchAll(/fill="(#[0-9a-f]{6})"/g)].map(([, fill = ""]) => fill)
    const [, light = "", dark = ""] = /--surface: light-dark\((#\w{6}), (#\w{6})\)/.exec(styles) ?? []
    assert.ok(fills.length > 0)
    for (const fill of fills)
      for (const surface of [light, dark]) assert.ok(contrast(fill, surface) >= 3, `${fill} on ${surface}`)
  })
})

// npm run routes: writes down which operations each family of the mount table has, for the Worker to find them by.
// With --check it only tells whether that is up to date.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Hono } from "hono"
import { allRouters } from "./families.ts"
import { root } from "./lib/state.ts"

const target = join(root, "src/routes.generated.ts")

function written(families: Map<string, Hono>): string {
  const lines = [...families].flatMap(([name, { routes }]) => [
    `  ${name}: [`,
    ...[...new Set(routes.map(({ method, path }) => `${method} ${path}`))].map(
      (route) => `    ${JSON.stringify(route)},`,
    ),
    "  ],",
  ])
  return [
    "// Written by `npm run routes` from what the families declare.",
    "export const routes = {",
    ...lines,
    "}",
    "",
  ].join("\n")
}

const wanted = written(await allRouters())
const matches = readFileSync(target, "utf8") === wanted
if (!process.argv.includes("--check")) {
  if (!matches) writeFileSync(target, wanted)
} else if (!matches) {
  console.error("src/routes.generated.ts does not hold what the families declare. Run: npm run routes")
  process.exitCode = 1
}

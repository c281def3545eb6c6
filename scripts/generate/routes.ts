// src/routes.generated.ts: the operations of each module, for the Worker to find them. Part of wrangler's build.
import type { Hono } from "hono"
import { allRouters } from "./app.ts"
import { type Generated, write } from "./generated.ts"

function render(modules: Map<string, Hono>): string {
  const lines = [...modules].flatMap(([name, { routes }]) => [
    `  ${name}: [`,
    ...[...new Set(routes.map(({ method, path }) => `${method} ${path}`))].map(
      (route) => `    ${JSON.stringify(route)},`,
    ),
    "  ],",
  ])
  return ["// Written by `npm run generate`.", "export const routes = {", ...lines, "}", ""].join("\n")
}

export const routes = async (): Promise<Generated> => ({
  path: "src/routes.generated.ts",
  text: render(await allRouters()),
})

if (import.meta.main) write([await routes()])

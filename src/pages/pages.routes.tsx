import { Hono } from "hono"
import type { AppEnv } from "../lib/web/app-env.ts"
import { DocsPage } from "./docs.page.tsx"
import { answerPage, REFERENCE_POLICY } from "./page.tsx"

export const pages = new Hono<AppEnv>()

pages.get("/docs", (c) => answerPage(c, <DocsPage />, 200, REFERENCE_POLICY))

// What a check of a deployment finds.
import type { Facts } from "./facts.ts"

/** What a check has found: nothing wrong, something wrong with its remedy, or something to know. */
export type Finding = { level: "ok"; message: string } | { level: "wrong" | "note"; message: string; fix: string }

/** Looks at the facts; undefined: there is nothing to say. */
export type Check = (facts: Facts) => Finding | Finding[] | undefined

export const DEPLOY = "Run npm run deploy, which makes and sets what is missing."
export const changeSetting = (what: string) => `${what} in deployment/settings.env, then npm run deploy.`

export const ok = (what: string): Finding => ({ level: "ok", message: what })
export const wrong = (what: string, fix: string): Finding => ({ level: "wrong", message: what, fix })
export const note = (what: string, fix: string): Finding => ({ level: "note", message: what, fix })

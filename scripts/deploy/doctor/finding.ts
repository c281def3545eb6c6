// What a check of a deployment finds.
import type { Facts } from "./facts.ts"

/** The result of a check. */
export type Finding = { level: "ok"; message: string } | { level: "wrong" | "note"; message: string; fix: string }

/** Returns undefined if the check does not apply. */
export type Check = (facts: Facts) => Finding | Finding[] | undefined

export const DEPLOY = "Run npm run deploy, which creates missing resources."
export const changeSetting = (what: string) => `${what} in deployment/settings.env, then run npm run deploy.`

export const ok = (what: string): Finding => ({ level: "ok", message: what })
export const wrong = (what: string, fix: string): Finding => ({ level: "wrong", message: what, fix })
export const note = (what: string, fix: string): Finding => ({ level: "note", message: what, fix })

const MARKS = { ok: "ok   ", note: "note ", wrong: "WRONG" }

/** The printed lines of findings, each followed by how to fix it. */
export const reportLines = (findings: readonly Finding[]): string[] =>
  findings.flatMap((finding) => [
    `  ${MARKS[finding.level]}  ${finding.message.replace(/\.$/, "")}.`,
    ...(finding.level === "ok" ? [] : [`         ${finding.fix}`]),
  ])

import type { Bindings } from "../../env.ts"
import { hasRole } from "../caller.ts"

type Named = Pick<Bindings, "ACADEMY_NAME">
type Placed = Pick<Bindings, "APP_URL">

/** The name of the software, and of an academy that sets none. */
const SOFTWARE = "Lectern"

/** What stands on pages, in mails and in files as the name of who teaches: ACADEMY_NAME. */
export const academyName = (env: Named): string => env.ACADEMY_NAME?.trim() || SOFTWARE

/** A portal's name before the academy's. @param portal that of the person's portal; null: they belong to none */
export const siteName = (env: Named, portal: string | null | undefined): string => portal || academyName(env)

/** The academy's own application for learners, without a slash at the end; undefined: this service's pages are it. */
export const appUrl = (env: Placed): string | undefined => env.APP_URL?.trim().replace(/\/+$/, "") || undefined

/**
 * Where links to courses and learning paths begin, without a slash at the end.
 * @param base where callers reach this service
 */
export const learnerUrl = (env: Placed, base: string): string => appUrl(env) ?? base

/**
 * Where a learner goes to sign in: the academy's own application, which knows where its form is, or the form here.
 * @param base where callers reach this service; empty in a page of its own
 */
export const signInUrl = (env: Placed, base: string): string => appUrl(env) ?? `${base}/login`

/** A person's own page without scripts, the console, and the API reference. */
export const LEARNING = "/learn"
export const CONSOLE = "/console"
export const REFERENCE = "/docs"

/**
 * Where people begin who say nothing else: learners and supervisors at the academy's own application or at the console,
 * staff at the console.
 */
export const startPage = (env: Placed, userType: string): string =>
  hasRole({ kind: "user", userType }, "staff") ? CONSOLE : (appUrl(env) ?? CONSOLE)

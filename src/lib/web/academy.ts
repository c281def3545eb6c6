import type { Bindings } from "../../env.ts"
import { hasRole } from "../caller.ts"

type NameBindings = Pick<Bindings, "ACADEMY_NAME">
type AppBindings = Pick<Bindings, "APP_URL">

/** The default name of an academy. */
export const DEFAULT_NAME = "Lectern"

/** The name of an academy whose settings have none: ACADEMY_NAME. */
export const academyName = (env: NameBindings): string => env.ACADEMY_NAME?.trim() || DEFAULT_NAME

/** The name of the portal or the academy. @param site what the database has; null: ACADEMY_NAME applies */
export const siteName = (env: NameBindings, site: string | null | undefined): string => site || academyName(env)

/** The URL of the academy's own application without a trailing slash; undefined: learners use this service's pages. */
export const appUrl = (env: AppBindings): string | undefined => env.APP_URL?.trim().replace(/\/+$/, "") || undefined

/** The base of links to courses and learning paths, without a trailing slash. @param base the URL of this service */
export const learnerUrl = (env: AppBindings, base: string): string => appUrl(env) ?? base

/**
 * The sign-in URL for learners: the academy's application, or the form of this service.
 * @param base the URL of this service; empty on its own pages
 */
export const signInUrl = (env: AppBindings, base: string): string => appUrl(env) ?? `${base}/login`

/** The learner's page without scripts, the console, and the API reference. */
export const LEARNING = "/learn"
export const CONSOLE = "/console"
export const REFERENCE = "/docs"

/** The start page: the console for staff; the academy's application, else the console, for others. */
export const startPage = (env: AppBindings, userType: string): string =>
  hasRole({ kind: "user", userType }, "staff") ? CONSOLE : (appUrl(env) ?? CONSOLE)

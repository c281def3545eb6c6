import { ssoProviders } from "../schema/sso.ts"
import { rowCounter } from "./declare.ts"

export const ssoTriggers = rowCounter(ssoProviders)

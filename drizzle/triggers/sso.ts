import { ssoProviders } from "../schema/sso.ts"
import { counted } from "./declare.ts"

export const ssoTriggers = counted(ssoProviders)

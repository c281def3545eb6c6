import { ssoProviders } from "../sso.ts"
import { counted } from "./declare.ts"

export const ssoTriggers = counted(ssoProviders)

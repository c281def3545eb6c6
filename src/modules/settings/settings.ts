import type { StoredSettings } from "../../db/settings.ts"
import { academyZone } from "../../lib/text/zones.ts"

export { selectSettings } from "../../db/settings.ts"

/** The language of an academy that has not set one. */
export const DEFAULT_LANGUAGE = "en"

/** The time zone of the academy: its setting, else TIME_ZONE. */
export const academyTimeZone = (
  settings: Pick<StoredSettings, "timeZone"> | undefined,
  env: { TIME_ZONE: string },
): string => settings?.timeZone ?? academyZone(env)

/** The language of the academy: its setting, else English. */
export const academyLanguage = (settings: Pick<StoredSettings, "language"> | undefined): string =>
  settings?.language ?? DEFAULT_LANGUAGE

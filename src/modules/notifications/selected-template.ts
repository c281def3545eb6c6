import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { notificationTemplates as templates } from "../../../drizzle/schema/notifications.ts"
import { DEFAULT_LANGUAGE } from "../settings/settings.ts"
import type { NotificationText } from "./texts/text-catalog.ts"

/** An academy's own text, with its language. */
export type StoredText = NotificationText & { language: string }

/**
 * Selects the academy's own text for a recipient: of the portal in the recipient's language, else of the portal in the
 * academy's language, else of the academy in the recipient's language, else of the academy in its language. Regions
 * fall back: `es-MX` to `es`. null: the built-in text applies.
 * @param portalId null: no portal; @param language null: the academy's
 */
export function selectTemplate({
  kind,
  portalId,
  language,
  academyLanguage,
}: Record<"kind" | "portalId" | "language" | "academyLanguage", SQLWrapper>): SQL<StoredText | null> {
  const own = sql`coalesce(${language}, ${academyLanguage}, ${DEFAULT_LANGUAGE})`
  const academy = sql`coalesce(${academyLanguage}, ${DEFAULT_LANGUAGE})`
  const withoutRegion = (tag: SQL) => sql`substr(${tag}, 1, instr(${tag} || '-', '-') - 1)`
  const rank = sql`case ${templates.language}
    when ${own} then 0 when ${withoutRegion(own)} then 1 when ${academy} then 2 when ${withoutRegion(academy)} then 3
  end`
  return sql<StoredText | null>`(
    select json_object(
      'subject', ${templates.subject}, 'body', ${templates.body}, 'language', ${templates.language}
    )
    from ${templates}
    where ${templates.kind} = ${kind}
      and ${templates.portalId} in (coalesce(${portalId}, 0), 0)
      and ${templates.language} in (${own}, ${withoutRegion(own)}, ${academy}, ${withoutRegion(academy)})
    order by ${templates.portalId} = 0, ${rank}
    limit 1
  )`.mapWith((json: string | null): StoredText | null => json && JSON.parse(json))
}

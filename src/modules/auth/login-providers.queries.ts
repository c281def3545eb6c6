import { sql } from "drizzle-orm"
import { portalMembers, portals } from "../../../drizzle/schema/portals.ts"
import { ssoProviders } from "../../../drizzle/schema/sso.ts"
import { users } from "../../../drizzle/schema/users.ts"
import type { Database } from "../../db/client.ts"
import { selectSettings } from "../../db/settings.ts"

// The login providers that the sign-in page shows and that password sign-in must respect.

/** A login provider as the sign-in page shows it. */
interface LoginProvider {
  name: string
  slug: string
  /** Whether only owners may use a password. */
  forAll: boolean
}

/**
 * What the sign-in page shows: the login providers of the portal first, then the academy's, and the brands of both. One
 * round trip.
 * @param slug the id or slug of the portal in the page's address
 */
export async function readSignInPage(db: Database, slug: string | undefined) {
  const portalId = slug === undefined ? undefined : portalIdOf(slug)
  const [providers, [academy = null], [portal = null]] = await db.batch([
    db
      .select({
        name: ssoProviders.name,
        slug: ssoProviders.slug,
        forAll: sql<boolean>`${ssoProviders.forced} and json_array_length(${ssoProviders.domains}) = 0`
          .mapWith(Boolean)
          .as("for_all"),
      })
      .from(ssoProviders)
      .where(
        sql`${ssoProviders.active} and (${ssoProviders.portalId} is null${
          portalId ? sql` or ${ssoProviders.portalId} = ${portalId}` : sql``
        })`,
      )
      .orderBy(sql`${ssoProviders.portalId} is null`, sql`${ssoProviders.name} collate nocase`, ssoProviders.id),
    selectSettings(db),
    db
      .select()
      .from(portals)
      .where(sql`${portals.id} = ${portalId ?? 0}`),
  ])
  return { providers: providers satisfies LoginProvider[], academy, portal }
}

/** The portal of an id or a slug. Ids take precedence, because a slug can consist of digits. */
const portalIdOf = (idOrSlug: string) => sql`coalesce(
  (select ${portals.id} from ${portals} where ${portals.id} = ${/^\d{1,15}$/.test(idOrSlug) ? Number(idOrSlug) : 0}),
  (select ${portals.id} from ${portals} where ${portals.slug} = ${idOrSlug.toLowerCase()})
)`

/** The domain of an address, in lower case. */
export const domainOf = (email: string) => email.slice(email.lastIndexOf("@") + 1).toLowerCase()

/** Selects the provider that a user with this address must use: the academy's for the domain, else one of a portal. */
export const forcedProvider = (db: Database, email: string) =>
  db
    .select({ name: ssoProviders.name, slug: ssoProviders.slug, portalId: ssoProviders.portalId })
    .from(ssoProviders)
    .where(sql`
      ${ssoProviders.active} and ${ssoProviders.forced}
      and (${ssoProviders.portalId} is null or ${ssoProviders.portalId} in (
        select ${portalMembers.portalId}
        from ${portalMembers} join ${users} on ${users.id} = ${portalMembers.userId}
        where ${users.email} collate nocase = ${email}
      ))
      and (json_array_length(${ssoProviders.domains}) = 0
        or exists (select 1 from json_each(${ssoProviders.domains}) where value = ${domainOf(email)}))`)
    .orderBy(sql`${ssoProviders.portalId} is not null`, ssoProviders.id)
    .limit(1)

import { sql } from "drizzle-orm"
import { portalMembers, portals } from "../../../drizzle/schema/portals.ts"
import { ssoProviders } from "../../../drizzle/schema/sso.ts"
import { users } from "../../../drizzle/schema/users.ts"
import type { Database } from "../../db/client.ts"

// What the sign-in page and the password's sign-in must know of providers. How one signs people in: src/modules/sso.

/** A provider as the sign-in page shows it. */
export interface LoginProvider {
  name: string
  slug: string
  /** Nobody whom the page is for may use a password, but owners. */
  forAll: boolean
}

/**
 * The providers that the sign-in page offers: the academy's, and before them those of a portal. One trip.
 * @param portal its id or slug, as the page's address has it
 */
export async function listLoginProviders(db: Database, portal: string | undefined): Promise<LoginProvider[]> {
  const named = portal === undefined ? undefined : portalNamed(portal)
  const [doors] = await db.batch([
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
          named ? sql` or ${ssoProviders.portalId} = ${named}` : sql``
        })`,
      )
      .orderBy(sql`${ssoProviders.portalId} is null`, sql`${ssoProviders.name} collate nocase`, ssoProviders.id),
  ])
  return doors
}

/** The portal of an id or a slug. An id comes first: a slug may be digits too. */
const portalNamed = (given: string) => sql`coalesce(
  (select ${portals.id} from ${portals} where ${portals.id} = ${/^\d{1,15}$/.test(given) ? Number(given) : 0}),
  (select ${portals.id} from ${portals} where ${portals.slug} = ${given.toLowerCase()})
)`

/** The domain of an address, in lower case. */
export const domainOf = (email: string) => email.slice(email.lastIndexOf("@") + 1).toLowerCase()

/**
 * The provider that whoever has an address must use, of those that force it: one of the academy for its domain, else
 * one of the user's portals. For a batch.
 */
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

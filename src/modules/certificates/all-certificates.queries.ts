import { certificates } from "../../../drizzle/schema/certificates.ts"
import { type OwnerParams, rowsInScope } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import { changedSince } from "../../db/list/changed-since.ts"
import type { Listing, PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import { counter } from "../../db/sql.ts"
import type { Caller } from "../../lib/caller.ts"
import { allCertificateColumns } from "./certificate-columns.ts"

type CertificatesQuery = PageQuery & OwnerParams & { search_param: { updatedSince?: string | undefined } }

/** Returns one page of the certificates of all users that the caller can see, including revoked ones. */
export function listAllCertificates(db: Database, caller: Caller, query: CertificatesQuery) {
  const owned = {
    table: certificates,
    key: certificates.id,
    userId: certificates.userId,
    kind: "learning",
    total: counter("certificates"),
  } as const
  const { scope, total } = rowsInScope(caller, owned, query)
  const listing: Listing<typeof allCertificateColumns.fields> = {
    table: certificates,
    key: certificates.id,
    fields: allCertificateColumns.fields,
    sort: allCertificateColumns.sort,
    defaultSort: { colName: "id", direction: "asc" },
    scope,
    search: [],
    ...(total && { total }),
  }
  return readPage(db, changedSince(listing, certificates, query, query.search_param.updatedSince), query)
}

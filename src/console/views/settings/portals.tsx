import type { RecordOf } from "../../../client/index.ts"
import { number, t } from "../../messages/messages.ts"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"

type Portal = RecordOf<"/api/portal/tabularlist">

const columns = (): Column<Portal>[] => [
  {
    key: "name",
    title: t("settings:portal"),
    sort: "name",
    render: ({ id, name }) => <a href={`/console/settings/portals/${id}`}>{name}</a>,
  },
  { key: "type", title: t("settings:portal.type"), render: ({ portalType }) => portalType || t("none") },
  {
    key: "members",
    title: t("settings:portal.members"),
    sort: "member_count",
    numeric: true,
    render: ({ member_count }) => number(member_count),
  },
]

/** The portals, to give each a brand of its own. */
export default function Portals() {
  return (
    <Page title={t("nav.portal-branding")}>
      <p class="quiet lead">{t("settings:portals.about")}</p>
      <Listing
        path="/api/portal/tabularlist"
        caption={t("nav.portal-branding")}
        columns={columns()}
        keyOf={({ id }) => id}
        empty={t("settings:portals.empty")}
        filters={[{ name: "name", label: t("settings:portals.search") }]}
      />
    </Page>
  )
}

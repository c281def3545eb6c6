import { FileCheck } from "lucide-preact"
import { t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import { Time } from "../../ui/time.tsx"

const STATUSES = ["accepted", "rejected"] as const

/** What users agreed to. The pages that ask for consent write it through the API. */
export default function Consents() {
  return (
    <Page title={t("nav.consents")}>
      <Listing
        path="/api/user-consent/tabularlist"
        caption={t("nav.consents")}
        keyOf={({ id }) => id}
        empty={{ icon: FileCheck, text: t("users:consent.empty") }}
        filters={[
          {
            name: "status",
            label: t("users:status"),
            options: STATUSES.map((value) => ({ value, label: t(`users:consent.${value}`) })),
          },
        ]}
        columns={[
          {
            key: "user",
            title: t("users:consent.user"),
            sort: "userId",
            render: ({ userId, userName }) => <a href={`/console/users/${userId}`}>{userName}</a>,
          },
          {
            key: "consent",
            title: t("users:consent.id"),
            sort: "consentId",
            render: ({ consentId }) => <span dir="auto">{consentId}</span>,
          },
          {
            key: "status",
            title: t("users:status"),
            sort: "status",
            render: ({ status }) => <Badge status={status}>{t(`users:consent.${status}`)}</Badge>,
          },
          { key: "country", title: t("users:consent.country"), sort: "country", render: ({ country }) => country },
          {
            key: "address",
            title: t("users:consent.ip"),
            sort: "ipAddress",
            render: ({ ipAddress }) => <span dir="ltr">{ipAddress}</span>,
          },
          {
            key: "date",
            title: t("users:consent.date"),
            sort: "consentDate",
            render: ({ consentedAt }) => <Time value={consentedAt} />,
          },
        ]}
      />
    </Page>
  )
}

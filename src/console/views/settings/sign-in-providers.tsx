import { Fingerprint } from "lucide-preact"
import { api } from "../../api/client.ts"
import { t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { RecordsPage } from "../../ui/records-page.tsx"
import { Time } from "../../ui/time.tsx"
import { useNavigate } from "../../ui/url-state.ts"
import { ConnectionFields, toNewProvider } from "./provider-fields.tsx"

/** OpenID Connect providers with which people sign in. */
export default function SignInProviders() {
  const go = useNavigate()
  return (
    <RecordsPage
      kind={{
        list: "/api/sso-provider/tabularlist",
        record: "/api/sso-provider/{id}",
        nameOf: ({ name }) => name,
        fields: () => (
          <>
            <p class="quiet">{t("settings:provider.new.about")}</p>
            <ConnectionFields provider={undefined} />
          </>
        ),
        toBody: toNewProvider,
        create: async (body) => {
          const created = await api.POST("/api/sso-provider/create", { body })
          // Its page shows the URLs to register at the provider.
          go(`/sign-in-providers/${created.data.id}`)
          return created
        },
        change: (id, body, headers) => api.PUT("/api/sso-provider/{id}", { params: { path: { id } }, body, headers }),
        remove: (delete_ids) => api.POST("/api/sso-provider/delete", { body: { delete_ids } }),
        invalidates: ["/api/sso-provider"],
      }}
      icon={Fingerprint}
      texts={{
        title: t("nav.sign-in-providers"),
        new: t("settings:provider.new"),
        edit: t("edit"),
        delete: t("settings:provider.delete"),
        deleteHint: t("settings:provider.delete.hint"),
        empty: t("settings:provider.empty"),
      }}
      canChange
      hrefOf={({ id }) => `/console/sign-in-providers/${id}`}
      columns={[
        {
          key: "issuer",
          title: t("settings:provider.issuer"),
          sort: "issuer",
          render: ({ issuer }) => <span dir="ltr">{issuer}</span>,
        },
        {
          key: "status",
          title: t("settings:provider.status"),
          sort: "active",
          render: ({ active }) => (
            <Badge status={active ? "active" : "inactive"}>
              {t(active ? "settings:provider.active" : "settings:provider.inactive")}
            </Badge>
          ),
        },
        {
          key: "force",
          title: t("settings:provider.required"),
          sort: "force",
          render: ({ force }) => t(force ? "yes" : "no"),
        },
        {
          key: "created",
          title: t("settings:provider.created"),
          sort: "created_at",
          render: ({ created_at }) => <Time value={created_at} />,
        },
      ]}
    >
      <p class="quiet">{t("settings:provider.about")}</p>
    </RecordsPage>
  )
}

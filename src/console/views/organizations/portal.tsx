import { useRoute } from "preact-iso"
import type { DataOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { refetchOnConflict } from "../../api/conflict.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useChange, useEditableRecord } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { failedTitle, Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { view } from "../view.ts"
import { Administrators } from "./administrators.tsx"
import { EmailRuleLists } from "./email-rules.tsx"
import { People } from "./people.tsx"
import { PortalSettings, type PortalSettingsBody } from "./portal-settings.tsx"

const PortalBranding = view("settings", () => import("../settings/portal-branding.tsx"))

type Portal = DataOf<"/api/portal/{id}", "get">
type Changes = Partial<PortalSettingsBody> & { admin_ids?: number[] }

const AFFECTED = ["/api/portal", "/api/users"]

interface PortalTabsProps {
  portal: Portal
  version: string
  refetch: () => Promise<unknown>
}

function PortalTabs({ portal, version, refetch }: PortalTabsProps) {
  const canChange = hasAccess(useMe(), "admin")
  const { query } = useUrlState()
  const params = { path: { id: portal.id } }
  const change = useChange({
    call: (body: Changes) => api.PUT("/api/portal/{id}", { params, body, headers: { "If-Match": version } }),
    invalidates: AFFECTED,
  })
  const save = (body: Changes) => refetchOnConflict(() => change.mutateAsync(body), refetch)
  const changeMembers = useChange({
    call: ({ add, remove }: { add?: number[]; remove?: number[] }) =>
      api.PUT("/api/portal/{id}", {
        params,
        body: { ...(add && { add_member_ids: add }), ...(remove && { remove_member_ids: remove }) },
      }),
    invalidates: AFFECTED,
  })
  const learners = {
    name: "learners",
    title: t("organizations:learners"),
    render: () => (
      <People
        title={t("organizations:learners")}
        query={{ portalId: portal.id }}
        change={changeMembers}
        canChange={canChange}
      />
    ),
  }
  const tabs = canChange
    ? [
        learners,
        {
          name: "administrators",
          title: t("organizations:administrators"),
          render: () => (
            <Administrators
              ids={portal.admin_ids}
              save={(admin_ids) => save({ admin_ids })}
              hint={t("organizations:portal.administrators.hint")}
            />
          ),
        },
        {
          name: "branding",
          title: t("organizations:branding"),
          render: () => <PortalBranding />,
        },
        {
          name: "emails",
          title: t("organizations:emails"),
          render: () => <EmailRuleLists portalId={portal.id} />,
        },
        {
          name: "settings",
          title: t("organizations:settings"),
          render: () => <PortalSettings portal={portal} save={save} />,
        },
      ]
    : [learners]
  const open = tabs.find(({ name }) => name === query.tab) ?? tabs[0]
  return (
    <>
      {tabs.length > 1 && <Tabs label={t("organizations:portal.tabs")} tabs={tabs} open={open?.name ?? ""} />}
      {open?.render()}
    </>
  )
}

export default function PortalPage() {
  const id = Number(useRoute().params.id)
  const editable = useEditableRecord("/api/portal/{id}", { params: { path: { id } } })
  return (
    <Page
      title={failedTitle(editable) ?? editable.data?.record.name ?? t("organizations:portal")}
      parent={{ href: "/console/portals", label: t("organizations:portals") }}
    >
      <Loaded query={editable}>
        {({ record, version }) => <PortalTabs portal={record} version={version} refetch={editable.refetch} />}
      </Loaded>
    </Page>
  )
}

import { useRoute } from "preact-iso"
import type { DataOf, Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { refetchOnConflict } from "../../api/conflict.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useChange, useEditableRecord } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { failedTitle, Loaded } from "../../ui/error-message.tsx"
import { ExternalIdField } from "../../ui/external-id-field.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { Administrators } from "./administrators.tsx"
import { GroupSeats } from "./group-seats.tsx"
import { People } from "./people.tsx"

type Group = DataOf<"/api/group/{id}", "get">
type GroupChanges = Schemas["GroupChanges"]

interface GroupTabsProps {
  group: Group
  version: string
  refetch: () => Promise<unknown>
}

function GroupTabs({ group, version, refetch }: GroupTabsProps) {
  const canChange = hasAccess(useMe(), "staff")
  const { query } = useUrlState()
  const change = useChange({
    call: (body: GroupChanges) =>
      api.PUT("/api/group/{id}", { params: { path: { id: group.id } }, body, headers: { "If-Match": version } }),
    invalidates: ["/api/group", "/api/users"],
  })
  const save = (body: GroupChanges) => refetchOnConflict(() => change.mutateAsync(body), refetch)
  const changeMembers = useChange({
    call: ({ add, remove }: { add?: number[]; remove?: number[] }) =>
      api.PUT("/api/group/{id}", {
        params: { path: { id: group.id } },
        body: { ...(add && { add_user_ids: add }), ...(remove && { remove_user_ids: remove }) },
      }),
    invalidates: ["/api/group", "/api/users"],
  })
  const tabs = [
    {
      name: "members",
      title: t("organizations:members"),
      render: () => (
        <People
          title={t("organizations:members")}
          query={{ group_id: group.id }}
          change={changeMembers}
          canChange={canChange}
        />
      ),
    },
    ...(canChange
      ? [
          {
            name: "administrators",
            title: t("organizations:administrators"),
            render: () => (
              <Administrators
                ids={group.admin_ids}
                save={(admin_ids) => save({ admin_ids })}
                hint={t("organizations:group.administrators.hint")}
              />
            ),
          },
        ]
      : []),
    {
      name: "seats",
      title: t("organizations:seats"),
      render: () => (
        <GroupSeats seats={group.course_seats} canChange={canChange} save={(course_seats) => save({ course_seats })} />
      ),
    },
    ...(canChange
      ? [
          {
            name: "settings",
            title: t("organizations:settings"),
            render: () => (
              <Form
                submit={t("save")}
                onSubmit={(values) => save({ name: values.text("name"), externalId: values.text("externalId") })}
              >
                <TextField name="name" label={t("name")} defaultValue={group.name} required maxLength={100} />
                <ExternalIdField record={group} />
              </Form>
            ),
          },
        ]
      : []),
  ]
  const open = tabs.find(({ name }) => name === query.tab) ?? tabs[0]
  return (
    <>
      <Tabs label={t("organizations:group.tabs")} tabs={tabs} open={open?.name ?? ""} />
      {open?.render()}
    </>
  )
}

export default function GroupPage() {
  const id = Number(useRoute().params.id)
  const editable = useEditableRecord("/api/group/{id}", { params: { path: { id } } })
  return (
    <Page
      title={failedTitle(editable) ?? editable.data?.record.name ?? t("organizations:group")}
      parent={{ href: "/console/groups", label: t("organizations:groups") }}
    >
      <Loaded query={editable}>
        {({ record, version }) => <GroupTabs group={record} version={version} refetch={editable.refetch} />}
      </Loaded>
    </Page>
  )
}

import { useRoute } from "preact-iso"
import type { DataOf, Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useChange, useEditableRecord } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
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

/** Changes the group. The version is that of the form; changes of members need none. */
const useGroupChange = (id: number) =>
  useChange({
    call: ({ version, ...body }: GroupChanges & { version?: string }) =>
      api.PUT("/api/group/{id}", {
        params: { path: { id } },
        body,
        ...(version && { headers: { "If-Match": version } }),
      }),
    invalidates: ["/api/group", "/api/users"],
  })

function GroupTabs({ group, version }: { group: Group; version: string }) {
  const canChange = hasAccess(useMe(), "staff")
  const { query } = useUrlState()
  const change = useGroupChange(group.id)
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
                save={(admin_ids) => change.mutateAsync({ admin_ids, version })}
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
        <GroupSeats
          key={version}
          seats={group.course_seats}
          canChange={canChange}
          save={(course_seats) => change.mutateAsync({ course_seats, version })}
        />
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
                onSubmit={(values) =>
                  change.mutateAsync({ name: values.text("name"), externalId: values.text("externalId"), version })
                }
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
      title={editable.data?.record.name ?? t("organizations:group")}
      parent={{ href: "/console/groups", label: t("organizations:groups") }}
    >
      <Loaded query={editable}>{({ record, version }) => <GroupTabs group={record} version={version} />}</Loaded>
    </Page>
  )
}

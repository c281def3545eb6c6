import { Users as UsersIcon } from "lucide-preact"
import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { ROLES } from "../../../lib/caller.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { toOptions } from "../../ui/form.tsx"
import { type Filter, Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import { roleName } from "../../ui/role-about.ts"
import type { Column } from "../../ui/table.tsx"
import { Time, TimeAgo } from "../../ui/time.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { MessageDialog } from "../teaching/dialogs.ts"
import { BlockedDeletionDialog, type DeletionResult } from "./blocked-deletion.tsx"
import { EnrollDialog } from "./enroll-dialog.tsx"
import { MembershipPicker } from "./pickers.tsx"
import { useDeleteUsers, useSetSuspended } from "./user-mutations.ts"

type User = RecordOf<"/api/users/tabularlist">

const nameOf = ({ first_name, last_name }: User) => `${first_name} ${last_name}`.trim()

const columns = (): Column<User>[] => [
  {
    key: "name",
    title: t("users:name"),
    sort: "first_name",
    render: (user) => (
      <>
        <a class="whole" href={`/console/users/${user.id}`}>
          {nameOf(user)}
        </a>{" "}
        {user.is_disabled && <Badge status="suspended">{t("users:suspended")}</Badge>}
      </>
    ),
  },
  { key: "email", title: t("users:email"), sort: "email", line: "whole", render: ({ email }) => email },
  { key: "type", title: t("users:role"), sort: "display_user_type", render: ({ user_type }) => roleName(user_type) },
  { key: "category", title: t("users:categories"), render: ({ user_category }) => user_category || t("none") },
  { key: "portals", title: t("users:portals"), line: "short", render: ({ portals }) => portals || t("none") },
  {
    key: "login",
    title: t("users:last-login"),
    sort: "last_login",
    render: ({ lastLoginAt }) => <TimeAgo value={lastLoginAt} />,
  },
  {
    key: "created",
    title: t("users:created"),
    sort: "created_at",
    render: ({ created_at }) => <Time value={created_at} />,
  },
]

/** Group and portal administrators can also filter by their own groups and portals. */
function useFilters(): Filter[] {
  const me = useMe()
  const categories = useRead("/api/categories/user/lookup")
  const scopeFilter = (name: string, label: string, list: { id: number; name: string }[]): Filter[] =>
    list.length > 0 ? [{ name, label, isQueryParam: true, options: toOptions(list) }] : []
  return [
    { name: "nameOrEmail", label: t("users:search") },
    {
      name: "userType",
      label: t("users:role"),
      options: ROLES.map((role) => ({ value: role, label: roleName(role) })),
    },
    { name: "userCategoryId", label: t("users:category"), options: toOptions(categories.data) },
    { name: "courseName", label: t("users:course") },
    ...scopeFilter("group_id", t("users:group"), me.scope.groups),
    ...scopeFilter("portalId", t("users:portal"), me.scope.portals),
  ]
}

/** Selects a membership by name. The URL stores it as `membershipId`. */
function MembershipFilter({ id }: { id: number | undefined }) {
  const { change } = useUrlState()
  const membership = useRead(
    "/api/membership/{id}",
    { params: { path: { id: id ?? 0 } } },
    { enabled: id !== undefined },
  )
  return (
    <MembershipPicker
      name="membershipId"
      value={id !== undefined && membership.data ? { id, name: membership.data.name } : undefined}
      onSelect={(selected) => change({ membershipId: selected?.id, page: undefined }, { replace: true })}
    />
  )
}

/** A bulk action that waits for confirmation. */
interface PendingAction {
  action: "message" | "enroll" | "disable" | "enable" | "delete"
  rows: readonly User[]
  clear: () => void
}

/** All users that the caller may see, with bulk actions. */
export default function Users() {
  const me = useMe()
  const isStaff = hasAccess(me, "staff")
  const { query } = useUrlState()
  const membershipId = (isStaff && Number(query.membershipId)) || undefined
  const filters = useFilters()
  const [pendingAction, setPendingAction] = useState<PendingAction>()
  const [blockedDeletion, setBlockedDeletion] = useState<DeletionResult>()
  const suspend = useSetSuspended()
  const remove = useDeleteUsers()
  const ids = pendingAction?.rows.map(({ id }) => id) ?? []
  const messageParams = { count: ids.length, shown: ids.length }
  const close = () => setPendingAction(undefined)
  return (
    <Page
      title={t("users:title")}
      actions={
        isStaff && (
          <>
            <a class="button" href="/console/exports">
              {t("nav.exports")}
            </a>
            <a class="button" href="/console/upload">
              {t("nav.import")}
            </a>
            <a class="button primary" href="/console/users/new">
              {t("users:new")}
            </a>
          </>
        )
      }
    >
      <Listing
        path="/api/users/tabularlist"
        caption={t("users:title")}
        columns={columns()}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        empty={{
          icon: UsersIcon,
          text: t("users:empty"),
          ...(isStaff && { action: { label: t("users:new"), href: "/users/new" } }),
        }}
        filters={filters}
        {...(membershipId !== undefined && { query: { search_param: { membershipId } } })}
        {...(isStaff && { ownFilters: { names: ["membershipId"], fields: <MembershipFilter id={membershipId} /> } })}
        actions={(rows, clear) => (
          <>
            <button type="button" onClick={() => setPendingAction({ action: "message", rows, clear })}>
              {t("users:message")}
            </button>
            <button type="button" onClick={() => setPendingAction({ action: "enroll", rows, clear })}>
              {t("users:enroll")}
            </button>
            {isStaff && (
              <>
                <button type="button" onClick={() => setPendingAction({ action: "disable", rows, clear })}>
                  {t("users:suspend")}
                </button>
                <button type="button" onClick={() => setPendingAction({ action: "enable", rows, clear })}>
                  {t("users:reactivate")}
                </button>
              </>
            )}
            {hasAccess(me, "admin") && (
              <button type="button" class="danger" onClick={() => setPendingAction({ action: "delete", rows, clear })}>
                {t("delete")}
              </button>
            )}
          </>
        )}
      />
      {pendingAction?.action === "message" && (
        <MessageDialog
          people={pendingAction.rows.map((row) => ({ id: row.id, name: nameOf(row) }))}
          onDone={pendingAction.clear}
          onClose={close}
        />
      )}
      {pendingAction?.action === "enroll" && (
        <EnrollDialog userIds={ids} onClose={close} onDone={pendingAction.clear} />
      )}
      {(pendingAction?.action === "disable" || pendingAction?.action === "enable") && (
        <ConfirmDialog
          title={
            pendingAction.action === "disable"
              ? t("users:suspend.title", messageParams)
              : t("users:reactivate.title", messageParams)
          }
          confirm={pendingAction.action === "disable" ? t("users:suspend") : t("users:reactivate")}
          onClose={close}
          onConfirm={async () => {
            await suspend.mutateAsync({ ids, disabled: pendingAction.action === "disable" })
            pendingAction.clear()
          }}
        >
          <p>{pendingAction.action === "disable" ? t("users:suspend.text") : t("users:reactivate.text")}</p>
        </ConfirmDialog>
      )}
      {pendingAction?.action === "delete" && (
        <ConfirmDialog
          title={t("users:delete.title", messageParams)}
          confirm={t("delete")}
          onClose={close}
          onConfirm={async () => {
            const result = await remove.mutateAsync(ids)
            if (result.notDeletedStudents.length > 0) setBlockedDeletion(result)
            pendingAction.clear()
          }}
        >
          <p>{t("users:delete.text")}</p>
          <p>{t("irreversible")}</p>
        </ConfirmDialog>
      )}
      {blockedDeletion && (
        <BlockedDeletionDialog result={blockedDeletion} onClose={() => setBlockedDeletion(undefined)} />
      )}
    </Page>
  )
}

import { Users } from "lucide-preact"
import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import type { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { CancelButton, ConfirmDialog, Dialog } from "../../ui/dialog.tsx"
import { Form } from "../../ui/form.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Picker } from "../../ui/picker.tsx"
import { roleName } from "../../ui/role-about.ts"
import type { Column } from "../../ui/table.tsx"

type User = RecordOf<"/api/users/tabularlist">
type Change = ReturnType<typeof useChange<{ add?: number[]; remove?: number[] }, unknown>>

const nameOf = ({ first_name, last_name, email }: User) => `${first_name} ${last_name}`.trim() || email

const columns = (): Column<User>[] => [
  {
    key: "name",
    title: t("name"),
    sort: "first_name",
    render: (user) => <a href={`/console/users/${user.id}`}>{nameOf(user)}</a>,
  },
  { key: "email", title: t("organizations:email"), sort: "email", render: ({ email }) => email },
  {
    key: "type",
    title: t("organizations:role"),
    sort: "display_user_type",
    render: ({ user_type }) => roleName(user_type),
  },
]

/** Searches users to add. */
export const UserPicker = (props: {
  name: string
  label: string
  selected: readonly Choice[]
  onSelect: (selected: readonly Choice[]) => void
}) => (
  <Picker
    path="/api/users/tabularlist"
    query={(text) => (text ? { search_param: { nameOrEmail: text } } : {})}
    toChoice={({ id, first_name, last_name, email }) => ({ id, name: `${first_name} ${last_name} (${email})` })}
    {...props}
  />
)

function AddPeople({ title, change, onClose }: { title: string; change: Change; onClose: () => void }) {
  const [selected, setSelected] = useState<readonly Choice[]>([])
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={t("organizations:people.add")}
        isReady={selected.length > 0}
        onSubmit={async () => {
          await change.mutateAsync({ add: selected.map(({ id }) => id) })
          onClose()
        }}
        more={<CancelButton />}
      >
        <UserPicker name="add" label={t("organizations:people.search")} selected={selected} onSelect={setSelected} />
      </Form>
    </Dialog>
  )
}

interface PeopleProps {
  title: string
  /** The query parameter that limits the list of users to this group or portal. */
  query: { group_id: number } | { portalId: number }
  change: Change
  canChange: boolean
}

/** The members of a group or portal. */
export function People({ title, query, change, canChange }: PeopleProps) {
  const [open, setOpen] = useState<{ type: "add" } | { type: "remove"; users: readonly User[] }>()
  const close = () => setOpen(undefined)
  return (
    <>
      {canChange && (
        <p>
          <button type="button" class="primary" onClick={() => setOpen({ type: "add" })}>
            {t("organizations:people.add")}
          </button>
        </p>
      )}
      <Listing
        path="/api/users/tabularlist"
        caption={title}
        query={query}
        columns={columns()}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        empty={{
          icon: Users,
          text: t("organizations:people.empty"),
          ...(canChange && {
            action: { label: t("organizations:people.add"), onClick: () => setOpen({ type: "add" }) },
          }),
        }}
        filters={[{ name: "nameOrEmail", label: t("organizations:people.search") }]}
        {...(canChange && {
          actions: (users: readonly User[], clear: () => void) => (
            <>
              <button type="button" class="danger" onClick={() => setOpen({ type: "remove", users })}>
                {t("organizations:people.remove")}
              </button>
              {open?.type === "remove" && (
                <ConfirmDialog
                  title={t("organizations:people.remove.title")}
                  confirm={t("organizations:people.remove")}
                  onConfirm={async () => {
                    await change.mutateAsync({ remove: open.users.map(({ id }) => id) })
                    clear()
                  }}
                  onClose={close}
                >
                  <p>{open.users.map(nameOf).join(", ")}</p>
                  <p>{t("organizations:people.remove.hint")}</p>
                </ConfirmDialog>
              )}
            </>
          ),
        })}
      />
      {open?.type === "add" && <AddPeople title={t("organizations:people.add")} change={change} onClose={close} />}
    </>
  )
}

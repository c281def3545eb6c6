import { useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { canEditUser, hasAccess, useMe } from "../../api/me.tsx"
import { useChange, useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { useNavigate } from "../../ui/url-state.ts"
import { BlockedDeletionDialog, type DeletionResult } from "./blocked-deletion.tsx"
import { MembershipPicker } from "./pickers.tsx"
import type { User } from "./user-fields.tsx"
import { USER_QUERIES, useDeleteUsers, useSetSuspended } from "./user-mutations.ts"

/** Two-factor status, if the caller may see it. */
export function useTwoFactor({ id, userType }: User) {
  const me = useMe()
  return useRead(
    "/api/user-meta/2fa",
    { params: { query: { user_id: id } } },
    { enabled: canEditUser(me, userType) || me.id === id },
  )
}

function PasswordDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const me = useMe()
  const isSelf = me.id === user.id
  const setPassword = useChange({
    call: (body: { password: string; confirmPassword: string; current_password?: string }) =>
      api.PUT("/api/user/updatePassword/{id}", { params: { path: { id: user.id } }, body }),
    invalidates: ["/api/session"],
  })
  return (
    <Dialog title={t("users:password.title")} onClose={onClose}>
      <Form
        submit={t("save")}
        onSubmit={async ({ form }) => {
          await setPassword.mutateAsync({
            password: String(form.get("password")),
            confirmPassword: String(form.get("confirmPassword")),
            ...(isSelf && { current_password: String(form.get("current_password")) }),
          })
          onClose()
        }}
      >
        <p>{t("users:password.text")}</p>
        {isSelf && (
          <TextField
            name="current_password"
            type="password"
            label={t("users:own-password")}
            required
            autocomplete="current-password"
          />
        )}
        <TextField
          name="password"
          type="password"
          label={t("users:password")}
          hint={t("users:password.hint")}
          required
          autocomplete="new-password"
        />
        <TextField
          name="confirmPassword"
          type="password"
          label={t("users:password.confirm")}
          required
          autocomplete="new-password"
        />
      </Form>
    </Dialog>
  )
}

function MembershipDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const assign = useChange({
    call: (body: { id: number; expired_at?: string }) =>
      api.PUT("/api/user/{id}/update-membership", { params: { path: { id: user.id } }, body }),
    invalidates: USER_QUERIES,
  })
  return (
    <Dialog title={t("users:membership.title")} onClose={onClose}>
      <Form
        submit={t("save")}
        onSubmit={async (values) => {
          const expired_at = values.optional("expired_at")
          await assign.mutateAsync({ id: values.number("id") ?? 0, ...(expired_at && { expired_at }) })
          onClose()
        }}
      >
        <MembershipPicker name="id" value={user.membership ?? undefined} required />
        <TextField name="expired_at" type="date" label={t("users:expires")} hint={t("users:membership.hint")} />
      </Form>
    </Dialog>
  )
}

type Action = "disable" | "enable" | "invite" | "password" | "membership" | "revoke" | "two-factor" | "delete"

/** An expiry date in the past revokes a membership. */
const PAST_DATE = "2000-01-01"

export function AccountActions({ user }: { user: User }) {
  const me = useMe()
  const go = useNavigate()
  const { id } = user
  const [open, setOpen] = useState<Action>()
  const [blockedDeletion, setBlockedDeletion] = useState<DeletionResult>()
  const close = () => setOpen(undefined)
  const suspend = useSetSuspended()
  const remove = useDeleteUsers()
  const invite = useChange({
    call: () => api.POST("/api/email/resendNewAccountEmail", { body: { user_id: id } }),
    invalidates: ["/api/session"],
  })
  const resetTwoFactor = useChange({
    call: () => api.POST("/api/user/disableTwoFactorAuth", { body: { user_id: id } }),
    invalidates: ["/api/user-meta", "/api/session"],
  })
  const revoke = useChange({
    call: (membershipId: number) =>
      api.PUT("/api/user/{id}/update-membership", {
        params: { path: { id } },
        body: { id: membershipId, expired_at: PAST_DATE },
      }),
    invalidates: USER_QUERIES,
  })
  const twoFactor = useTwoFactor(user)
  const { membership } = user
  const isSelf = me.id === id
  const canEdit = canEditUser(me, user.userType)
  if (!canEdit && !isSelf) return null
  const setDisabled = async (disabled: boolean) => {
    await suspend.mutateAsync({ ids: [id], disabled })
  }
  const messageParams = { count: 1, shown: 1 }
  const button = (action: Action, label: string, kind?: string) => (
    <button type="button" class={kind} onClick={() => setOpen(action)}>
      {label}
    </button>
  )
  return (
    <section class="card" aria-labelledby="account">
      <h2 id="account">{t("users:account")}</h2>
      <div class="actions">
        {button("password", t("users:password.title"))}
        {canEdit && button("invite", t("users:invite"))}
        {hasAccess(me, "admin") && button("membership", t("users:membership.title"))}
        {hasAccess(me, "admin") && user.membership && button("revoke", t("users:membership.revoke"))}
        {canEdit && twoFactor.data?.is2FactorAuthActive && button("two-factor", t("users:two-factor.reset"))}
        {canEdit &&
          !isSelf &&
          (user.disabled ? button("enable", t("users:reactivate")) : button("disable", t("users:suspend")))}
        {hasAccess(me, "admin") && canEdit && !isSelf && button("delete", t("delete"), "danger")}
      </div>
      {open === "password" && <PasswordDialog user={user} onClose={close} />}
      {open === "membership" && <MembershipDialog user={user} onClose={close} />}
      {(open === "disable" || open === "enable") && (
        <ConfirmDialog
          title={
            open === "disable" ? t("users:suspend.title", messageParams) : t("users:reactivate.title", messageParams)
          }
          confirm={open === "disable" ? t("users:suspend") : t("users:reactivate")}
          onClose={close}
          onConfirm={() => setDisabled(open === "disable")}
        >
          <p>{open === "disable" ? t("users:suspend.text") : t("users:reactivate.text")}</p>
        </ConfirmDialog>
      )}
      {open === "invite" && (
        <ConfirmDialog
          title={t("users:invite")}
          confirm={t("users:invite.send")}
          onClose={close}
          onConfirm={() => invite.mutateAsync(undefined)}
        >
          <p>{t("users:invite.text", { email: user.email })}</p>
        </ConfirmDialog>
      )}
      {open === "revoke" && membership && (
        <ConfirmDialog
          title={t("users:membership.revoke")}
          confirm={t("users:membership.revoke")}
          onClose={close}
          onConfirm={() => revoke.mutateAsync(membership.id)}
        >
          <p>{t("users:membership.revoke.text", { name: membership.name })}</p>
        </ConfirmDialog>
      )}
      {open === "two-factor" && (
        <ConfirmDialog
          title={t("users:two-factor.reset")}
          confirm={t("users:two-factor.reset")}
          onClose={close}
          onConfirm={() => resetTwoFactor.mutateAsync(undefined)}
        >
          <p>{t("users:two-factor.reset.text")}</p>
        </ConfirmDialog>
      )}
      {open === "delete" && (
        <ConfirmDialog
          title={t("users:delete.title", messageParams)}
          confirm={t("delete")}
          onClose={close}
          onConfirm={async () => {
            const result = await remove.mutateAsync([id])
            if (result.notDeletedStudents.length > 0) setBlockedDeletion(result)
            else go("/users")
          }}
        >
          <p>{t("users:delete.text")}</p>
          <p>{t("irreversible")}</p>
        </ConfirmDialog>
      )}
      {blockedDeletion && (
        <BlockedDeletionDialog
          result={blockedDeletion}
          onClose={() => setBlockedDeletion(undefined)}
          onDeleted={() => go("/users")}
        />
      )}
    </section>
  )
}

/** A person's initials: the first letter of each name, in capitals. */
export const initials = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  [firstName, lastName]
    .map((part) => [...part][0] ?? "")
    .join("")
    .toUpperCase()

/** What a client shows for a person: the image's URL, or the initials. */
export const avatarOf = (user: { firstName: string; lastName: string; avatar: string | null }): string =>
  user.avatar ?? initials(user)

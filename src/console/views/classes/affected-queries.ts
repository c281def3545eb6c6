/** Queries to refetch after a change of a class or its attendees. */
export const CLASS_QUERIES = ["/api/class", "/api/users/enrolled-classes", "/api/user/class"]

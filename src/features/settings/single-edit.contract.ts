/** Words of the Single User Update (specification A§8). Those it shares with the settings are there. */
export const SINGLE_EDIT_TITLE = 'Single User Update';
export const ORGANIZATION_FETCH_FAILED = 'Failed to fetch organization details';
export const AFFILIATE_FETCH_FAILED = 'Failed to fetch affiliate details';
export const NO_USER = 'No user associated with this organization';
export const UPDATE_DID_NOT_WORK = 'Update failed';
export const VALIDATION_FAILED = 'Validation failed';
export const RESET_FAILED = 'Unable to reset affiliate data: Current user data is missing';
export const unexpectedStatus = (status: number) => `Unexpected response status: ${status}`;

export const RESET = 'Reset';
export const RESETTING = 'Resetting...';

import json

import urllib3

answer = urllib3.PoolManager().request(
    "GET", "https://api.attentivemobile.com/v1/me", headers={"authorization": "Bearer sandpiper-demo-key"}
)
print(answer.status, json.loads(answer.data)["companyName"])

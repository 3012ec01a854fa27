"""What each request of the protocol does, one module for each part of the product.

A group is a class over the workroom whose `handlers` names its requests; `service.GROUPS` lists the groups.
"""
